import type { Guidance } from '../../../contract/dashboard/content.ts'
import { type Role, roles } from '../../../contract/dashboard/paths.ts'
import { findGuidance, type GuidanceRow } from '../../content/guidance-queries.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { errors } from '../../errors.ts'

/** An environment whose guidance was never changed. */
const untouched = { is_off: false, switched_by: null, switched_at: null, quiet_ms: '0', members_may_publish: false }

export async function readGuidance(db: Queryable, id: EnvironmentId, role: Role): Promise<Guidance> {
  return guidanceOutput((await findGuidance(db, id)) ?? untouched, role)
}

export function guidanceOutput(row: Omit<GuidanceRow, 'revision'>, role: Role): Guidance {
  const { is_off, switched_by, switched_at, quiet_ms, members_may_publish } = row
  return {
    is_off,
    switched_by,
    switched_at,
    quiet_seconds: Math.round(Number(quiet_ms) / 1000),
    members_may_publish,
    may_publish: mayPublish(role, members_may_publish),
  }
}

/** What reaches users at once is for admins, and for members where the environment lets them. */
export async function checkMayPublish(db: Queryable, id: EnvironmentId, role: Role): Promise<void> {
  const { may_publish } = await readGuidance(db, id, role)
  if (!may_publish) throw errors.roleRequired('admin')
}

function mayPublish(role: Role, membersMay: boolean): boolean {
  return roles.indexOf(role) >= roles.indexOf(membersMay ? 'member' : 'admin')
}
