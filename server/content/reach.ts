import { isEqual } from '../../contract/content/differences.ts'
import type { Reader } from '../database/database.ts'
import { countReach, countUsers, type ReachRequest } from './reach-queries.ts'

/** Who a change of *who* reaches newly, and whom no longer. */
export interface Reach {
  /** How many match from then on. */
  matches: Omit<Changed, 'users'>
  gains: Changed
  losses: Changed
}

export interface Changed {
  count: number
  /** False: estimated from the users that were looked at in time. */
  exact: boolean
  users: string[]
}

/** Who waits for it: it stops when they have gone away, and they are told how many users it has looked at. */
export interface Watched {
  signal?: AbortSignal | undefined
  onStep?: ((looked: number) => void) | undefined
}

const USERS_OF_A_STEP = 5_000
const SAMPLES = 5
/** Over that it is an estimate. */
const MOST_MS = 5_000

/**
 * Looks through the users in steps by their ids, so that it can be cancelled, and no statement takes long. When *who* stays the
 * same nobody is gained or lost, and it looks only until somebody matches.
 */
export async function reachOf(
  db: Reader,
  request: ReachRequest,
  { signal, mostMs = MOST_MS, onStep }: Watched & { mostMs?: number } = {},
): Promise<Reach> {
  const begun = performance.now()
  const isSame = isEqual(request.before, request.after)
  const sums = { looked: 0, matches: 0, gains: 0, losses: 0 }
  const gained: string[] = []
  const lost: string[] = []
  let after = ''
  for (;;) {
    signal?.throwIfAborted()
    const step = await countReach(db, request, after, USERS_OF_A_STEP, SAMPLES)
    for (const name of ['looked', 'matches', 'gains', 'losses'] as const) sums[name] += step[name]
    onStep?.(sums.looked)
    gained.push(...step.gained)
    lost.push(...step.lost)
    const isEnd = step.looked < USERS_OF_A_STEP
    if (isEnd || (isSame && sums.matches > 0) || performance.now() - begun > mostMs) {
      const share = isEnd ? 1 : Math.max(1, (await countUsers(db, request.environmentId)) / sums.looked)
      const changed = (count: number, users: string[]) => ({
        count: Math.round(count * share),
        exact: isEnd || isSame,
        users: users.slice(0, SAMPLES),
      })
      const matches = { count: Math.round(sums.matches * share), exact: isEnd }
      return { matches, gains: changed(sums.gains, gained), losses: changed(sums.losses, lost) }
    }
    after = step.last as string
  }
}
