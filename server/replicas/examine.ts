import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../database/database.ts'
import { connectionProblem } from '../database/errors.ts'
import { connect } from '../database/open.ts'
import { PLAIN } from '../database/topology.ts'
import { nameOfReplica } from './open.ts'
import { primaryPosition, type StandbyState, standbyStateOf, systemIdOf } from './position.ts'

/** The result of one check of a replica. */
export interface Examined {
  name: string
  verdict:
    | 'follows'
    | 'lags'
    | 'unreachable'
    | 'is not a standby'
    | 'is on another timeline'
    | 'is of another database system'
  /** Why it cannot be reached, when it is unreachable. */
  reason: string
}

const POLL_MS = 50

/** `follows` when it has replayed the current position of the primary within `withinMs`. */
export async function examineReplica(primary: Queryable, url: string, withinMs: number): Promise<Examined> {
  const name = nameOfReplica(url)
  const [systemId, position] = [await systemIdOf(primary), await primaryPosition(primary)]
  const database = connect({ connectionString: url }, 1, PLAIN)
  const until = performance.now() + withinMs
  try {
    for (;;) {
      const state = await standbyStateOf(database)
      const wrong = mismatch(state, systemId, position.timeline)
      if (wrong) return { name, verdict: wrong, reason: '' }
      if (state.bytes >= position.bytes) return { name, verdict: 'follows', reason: '' }
      if (performance.now() >= until) return { name, verdict: 'lags', reason: '' }
      await sleep(POLL_MS)
    }
  } catch (error) {
    return { name, verdict: 'unreachable', reason: connectionProblem(error) }
  } finally {
    await database.close()
  }
}

function mismatch(state: StandbyState, systemId: string, timeline: number): Examined['verdict'] | undefined {
  if (state.systemId !== systemId) return 'is of another database system'
  if (!state.isStandby) return 'is not a standby'
  return state.timeline === timeline ? undefined : 'is on another timeline'
}
