import type { Guidance } from '../../../contract/dashboard/content.ts'
import { type Role, roles } from '../../../contract/dashboard/paths.ts'
import type { Right } from '../../batches/right.ts'
import { findGuidance, type GuidanceRow } from '../../content/guidance-queries.ts'
import type { EnvironmentId, Queryable, Transaction } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import { lockRole } from '../../members/queries.ts'
import type { MemberCaller } from '../call.ts'
import { isLower } from '../member-rules.ts'

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

/**
 * What reaches users at once is for admins, and for members where the environment lets them. Drafts are for members. The role
 * is that of the moment of the change, and stays until its commit.
 */
export function publishRight({ grant: { session }, environment }: MemberCall): Right {
  const right = async (transaction: Transaction, isLive: boolean) => {
    const role = await lockRole(transaction, session.id)
    if (role === undefined) return errors.notSignedIn()
    if (!isLive) return isLower(role, 'member') ? errors.roleRequired('member') : undefined
    const { may_publish } = await readGuidance(transaction, environment.id, role)
    return may_publish ? undefined : errors.roleRequired('admin')
  }
  return Object.assign(right, { memberId: session.id })
}

interface MemberCall {
  grant: MemberCaller
  environment: { id: EnvironmentId }
}

function mayPublish(role: Role, membersMay: boolean): boolean {
  return roles.indexOf(role) >= roles.indexOf(membersMay ? 'member' : 'admin')
}
