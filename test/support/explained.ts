import type pg from 'pg'
import type { Transaction } from '../../server/database/database.ts'

/** A part of a plan, as `explain (analyze, buffers, format json)` shows it. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  /** As estimated. */
  'Plan Rows': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/**
 * The plans of the statements of this call, each planned as the server has it planned. Nothing of it is committed.
 *
 * Each is executed twice, and the execution that read fewer blocks is kept. PostgreSQL counts the blocks of its catalogs
 * too, and forgets what it read of them at any time, when tests beside this one create many tables.
 */
export async function explained(
  pool: pg.Pool,
  call: (db: Transaction, plans: Plan[]) => Promise<unknown>,
): Promise<Plan[]> {
  const client = await pool.connect()
  const plans: Plan[] = []
  let sent: Promise<unknown> = Promise.resolve()
  const explain = async (text: string, values: readonly unknown[]) => {
    if (text.startsWith('set local')) return (await client.query(text)).rows
    const literals = values.map((value) => client.escapeLiteral(Array.isArray(value) ? arrayText(value) : `${value}`))
    await client.query(`prepare explained as ${text}`)
    const given = literals.length === 0 ? '' : `(${literals})`
    const execute = async (): Promise<Plan> => {
      await client.query('savepoint before')
      const { rows } = await client.query(`explain (analyze, buffers, format json) execute explained ${given}`)
      await client.query('rollback to savepoint before')
      return rows[0]['QUERY PLAN'][0].Plan
    }
    const [first, second] = [await execute(), await execute()]
    plans.push(blocksRead(first) < blocksRead(second) ? first : second)
    await client.query('deallocate explained')
    return (await client.query(text, [...values])).rows
  }
  const query = (text: string, values: readonly unknown[]) => {
    sent = sent.then(() => explain(text, values))
    return sent
  }
  try {
    await client.query('begin')
    await client.query('set local plan_cache_mode = force_generic_plan')
    await call({ kind: 'transaction', isDistributed: false, query } as unknown as Transaction, plans)
  } finally {
    await client.query('rollback')
    client.release()
  }
  return plans
}

function arrayText(items: readonly unknown[]): string {
  const texts = items.map((item) => (item == null ? 'null' : `"${String(item).replace(/["\\]/g, '\\$&')}"`))
  return `{${texts}}`
}

/** The most rows that a part of this plan has read. */
export function rowsRead(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return Math.max(own, ...(plan.Plans ?? []).map(rowsRead))
}

export const blocksRead = (plan: Plan): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
