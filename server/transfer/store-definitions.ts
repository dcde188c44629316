import { humanise } from '../../contract/names.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import { findAttributes } from '../definitions/queries.ts'
import { newId } from '../ids.ts'
import type { AttributeNameLine, NameLine } from './definition-lines.ts'

/** Definitions that are there already stay as they are. Returns those of another type, with the type that stays. */
export async function storeAttributeNames(
  db: Transaction,
  environmentId: EnvironmentId,
  lines: readonly AttributeNameLine[],
  at: string,
): Promise<Map<AttributeNameLine, string>> {
  await db.query(
    `insert into attribute_definitions
       (environment_id, id, scope, name, data_type, display_name, description, type_conflicts, created_at, written_by,
        written_by_chosen, shown_unverified)
     select $1::int, id, scope, name, data_type, display_name, description, 0, $10::timestamptz,
            coalesce(written_by, 'back_end'), written_by is not null, shown_unverified
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                   $9::boolean[])
         as given (id, scope, name, data_type, display_name, description, written_by, shown_unverified)
      order by scope, name
     on conflict do nothing`,
    [
      environmentId,
      lines.map(() => newId()),
      lines.map(({ scope }) => scope),
      lines.map(({ name }) => name),
      lines.map(({ dataType }) => dataType),
      lines.map(displayNameOf),
      lines.map(({ description }) => description),
      lines.map(({ writtenBy }) => writtenBy ?? null),
      lines.map(({ shownUnverified }) => shownUnverified),
      at,
    ],
  )
  const stored = await findAttributes(db, environmentId, lines)
  const typeOf = (line: AttributeNameLine) =>
    stored.find(({ scope, name }) => scope === line.scope && name === line.name)?.data_type ?? line.dataType
  return new Map(lines.filter((line) => typeOf(line) !== line.dataType).map((line) => [line, typeOf(line)]))
}

export async function storeEventNames(
  db: Transaction,
  environmentId: EnvironmentId,
  lines: readonly NameLine[],
  at: string,
): Promise<void> {
  await db.query(
    `insert into event_definitions (environment_id, id, name, display_name, description, created_at)
     select $1::int, id, name, display_name, description, $6::timestamptz
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as given (id, name, display_name, description)
      order by name
     on conflict do nothing`,
    [
      environmentId,
      lines.map(() => newId()),
      lines.map(({ name }) => name),
      lines.map(displayNameOf),
      lines.map(({ description }) => description),
      at,
    ],
  )
}

function displayNameOf({ name, displayName }: NameLine): string {
  return displayName ?? humanise(name)
}
