import type { AttributeInputs, Attributes } from '../../../contract/attributes.ts'
import type { Profile } from '../../../contract/dashboard/objects.ts'
import { parseOperations } from '../../attributes/operations.ts'
import type { AuditEntry, AuditedChange } from '../../audit/record.ts'
import type { Right } from '../../batches/right.ts'
import type { EnvironmentId } from '../../database/database.ts'
import type { ObjectTable } from '../../objects/tables.ts'
import type { Services } from '../../services.ts'
import type { UpsertGroupJob, Written } from '../../writes/jobs.ts'
import { actorOf, DONE, type MemberCaller } from '../call.ts'
import { roleRight } from '../member-rules.ts'
import { findObject, readProfile } from './profile.ts'

/** A call that changes a user or a group. */
export interface ChangeCall {
  grant: MemberCaller
  environment: { id: EnvironmentId; slug: string }
  exchange: { id: string }
}

type ObjectChange = Omit<AuditedChange, 'environment' | 'about'> & {
  /** The user and the group whose data it has. */
  of: { userId?: string | null; groupId?: string | null }
}

/** The entry in the audit log of a change by this member. It is stored in the transaction of the change. */
export function entryOf(call: ChangeCall, { of, ...change }: ObjectChange): AuditEntry {
  const { id: environmentId, slug: environment } = call.environment
  return { actor: actorOf(call), change: { ...change, environment, about: { environmentId, ...of } } }
}

/** Members may change what is stored of users and groups. */
export const writeRight = ({ grant }: Pick<ChangeCall, 'grant'>): Right => roleRight(grant, 'member')

const ownerOf = ({ object }: ObjectTable, id: string) => (object === 'user' ? { userId: id } : { groupId: id })

type Upsert = Required<Pick<UpsertGroupJob, 'id' | 'operations' | 'expects' | 'audit' | 'right'>>

/**
 * Uses the commit queue, like every write of the public API, so that it causes the same notifications. Whether the object
 * exists is decided there, under its lock.
 */
async function upsert(
  { write, database }: Services,
  environmentId: EnvironmentId,
  table: ObjectTable,
  job: Upsert,
): Promise<Profile> {
  if (table.object === 'group') await write(environmentId, { kind: 'group', ...job })
  else await write(environmentId, { kind: 'user', ...job, groups: [], prune: false })
  return await readProfile(database, environmentId, table, job.id)
}

export async function createObject(
  services: Services,
  call: ChangeCall,
  table: ObjectTable,
  id: string,
  attributes: AttributeInputs | null | undefined,
): Promise<Profile> {
  return await upsert(services, call.environment.id, table, {
    id,
    operations: parseOperations(attributes),
    expects: 'new',
    right: writeRight(call),
    audit: (written) =>
      entryOf(call, {
        action: `${table.object}.created`,
        target: { id },
        of: ownerOf(table, id),
        after: attributesOf(written),
      }),
  })
}

export async function updateObject(
  services: Services,
  call: ChangeCall,
  table: ObjectTable,
  id: string,
  attributes: AttributeInputs | null | undefined,
): Promise<Profile> {
  const names = Object.keys(attributes ?? {})
  return await upsert(services, call.environment.id, table, {
    id,
    operations: parseOperations(attributes),
    expects: 'existing',
    right: writeRight(call),
    audit: (written, before = {}) =>
      entryOf(call, {
        action: `${table.object}.changed`,
        target: { id },
        of: ownerOf(table, id),
        before: pickAttributes(before, names),
        after: pickAttributes(attributesOf(written), names),
      }),
  })
}

export async function deleteObject(
  services: Services,
  call: ChangeCall,
  table: ObjectTable,
  id: string,
): Promise<typeof DONE> {
  const { environment } = call
  await findObject(services.database, environment.id, table, id)
  const audit = entryOf(call, { action: `${table.object}.deleted`, target: { id }, of: ownerOf(table, id) })
  await services.remove(environment.id, { kind: `remove_${table.object}`, id, audit, right: writeRight(call) })
  return DONE
}

function attributesOf({ attributesJson }: Written): Attributes {
  return JSON.parse(attributesJson)
}

/** Absent attributes are null, so that the log shows them. */
function pickAttributes(attributes: Attributes, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(attributes, name) ? attributes[name] : null]))
}
