import type { CommitQueue } from '../batches/queue.ts'
import { submitOnce } from '../idempotency/run-once.ts'
import type { WriteCall } from '../writes/answer-write.ts'
import type { OperatorWorks } from './operator-works.ts'
import type { ReplayPage, WritePage } from './replay.ts'

/** Each page has a key that is made from that of the request: a repeat continues where the first was interrupted. */
export function pageWriter(commits: CommitQueue, works: OperatorWorks, call: WriteCall): WritePage {
  const { grant, requestKey } = call
  let pages = 0
  return async (deliveries, page) => {
    const job = { deliveries, page }
    if (!requestKey) return await commits.submit(works.replay, grant.environmentId, job)
    pages += 1
    // A key of a client has no space, so the two cannot collide.
    const once = {
      ...requestKey,
      key: `${requestKey.key} ${pages}`,
      answer: (written: ReplayPage) => JSON.stringify(written),
    }
    return JSON.parse((await submitOnce(commits, works.replay, grant.environmentId, job, once)).body) as ReplayPage
  }
}

/** The call whose key the answer of a replay is stored under. The key of the request itself is claimed for all its steps. */
export function lastStepOf({ grant, requestKey }: WriteCall): WriteCall {
  return { grant, requestKey: requestKey && { ...requestKey, key: `${requestKey.key} answer` } }
}

/** Writes a test notification. A repeat writes none, and gets the id of the first. */
export async function sendTest(
  commits: CommitQueue,
  works: OperatorWorks,
  { grant: { environmentId }, requestKey }: WriteCall,
  subscriptionId: string,
): Promise<{ id: string; isReplay: boolean }> {
  if (!requestKey) return { id: await commits.submit(works.test, environmentId, subscriptionId), isReplay: false }
  const once = { ...requestKey, answer: (id: string) => JSON.stringify(id) }
  const { body, isReplay } = await submitOnce(commits, works.test, environmentId, subscriptionId, once)
  return { id: JSON.parse(body) as string, isReplay }
}
