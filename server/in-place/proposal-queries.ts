import type { Proposal } from '../../contract/dashboard/in-place.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

/** A row of `edit_proposals`. `locators` is JSON text. */
export interface ProposalRow {
  id: string
  step: string | null
  locators: string
  page: string
  state: Proposal['state']
  created_at: string
}

/** Counts a proposal of an edit session. Returns false when it has as many already. */
export async function takeProposal(
  db: Queryable,
  environmentId: EnvironmentId,
  editId: string,
  most: number,
): Promise<boolean> {
  const rows = await db.query(
    `update edit_sessions set proposals = proposals + 1
      where environment_id = $1::int and id = $2::uuid and proposals < $3::int
     returning 1`,
    [environmentId, editId, most],
  )
  return rows.length > 0
}

export async function insertProposal(
  db: Queryable,
  environmentId: EnvironmentId,
  editId: string,
  row: Omit<ProposalRow, 'state'>,
): Promise<void> {
  await db.query(
    `insert into edit_proposals (environment_id, id, edit_id, step, locators, page, state, created_at)
     values ($1::int, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, 'offered', $7::timestamptz)`,
    [environmentId, row.id, editId, row.step, row.locators, row.page, row.created_at],
  )
}

/** Newest first. */
export async function listProposals(
  db: Queryable,
  environmentId: EnvironmentId,
  editId: string,
): Promise<ProposalRow[]> {
  return await db.query<ProposalRow & Record<string, unknown>>(
    `select id, step, locators, page, state, created_at
       from edit_proposals
      where environment_id = $1::int and edit_id = $2::uuid
      order by id desc`,
    [environmentId, editId],
  )
}

/** Returns false when it is not offered any more. */
export async function settleProposal(
  db: Queryable,
  environmentId: EnvironmentId,
  editId: string,
  id: string,
  state: Proposal['state'],
): Promise<boolean> {
  const rows = await db.query(
    `update edit_proposals set state = $4::text
      where environment_id = $1::int and edit_id = $2::uuid and id = $3::uuid and state = 'offered'
     returning 1`,
    [environmentId, editId, id, state],
  )
  return rows.length > 0
}
