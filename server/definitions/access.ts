import { type Actor, record } from '../audit/record.ts'
import type { EnvironmentId, OpenTransaction, Queryable } from '../database/database.ts'
import type { Writer } from './queries.ts'

/** What pages may do with an attribute. What is left out stays. */
export interface AttributeAccess {
  writtenBy?: Writer | undefined
  shownUnverified?: boolean | undefined
}

export interface AccessRow {
  name: string
  written_by: Writer
  shown_unverified: boolean
}

/** A choice of a member, which no write of the back end changes any more. Undefined when there is no such definition. */
export async function chooseAccess(
  transaction: OpenTransaction,
  { actor, environment }: { actor: Actor; environment: { id: EnvironmentId; slug: string } },
  definitionId: string,
  access: AttributeAccess,
): Promise<AccessRow | undefined> {
  const row = await updateAccess(transaction, environment.id, definitionId, access)
  if (!row) return undefined
  const { name, written_by, shown_unverified } = row
  await record(transaction, actor, {
    action: 'definition.access_changed',
    target: { id: definitionId, name },
    environment: environment.slug,
    after: { written_by, shown_unverified },
  })
  return row
}

async function updateAccess(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  { writtenBy, shownUnverified }: AttributeAccess,
): Promise<AccessRow | undefined> {
  const [row] = await db.query<AccessRow & Record<string, unknown>>(
    `update attribute_definitions
        set written_by = coalesce($3::text, written_by), written_by_chosen = written_by_chosen or $3::text is not null,
            shown_unverified = coalesce($4::boolean, shown_unverified)
      where environment_id = $1::int and id = $2::uuid
     returning name, written_by, shown_unverified`,
    [environmentId, id, writtenBy, shownUnverified],
  )
  return row
}
