import { CONTENT_FORMAT } from '../../contract/content/rendered.ts'
import { NEWEST } from '../dashboard/objects/timeline-position.ts'
import { listEventsOf } from '../dashboard/objects/timeline-queries.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { receiptObject } from '../decisions/routes.ts'
import { users } from '../objects/tables.ts'
import type { Services } from '../services.ts'

const MOST_EVENTS = 10

/** With the browser that asks, what it shows itself does not count as shown elsewhere. */
interface ViewRequest {
  user_id: string
  browser_id?: string | null
}

/** What Usher knows of a user of the demo and decides for it, with the reasons: what a page itself is never told. */
export async function viewOf(
  { database, reader }: Services,
  decisions: Decisions,
  environmentId: EnvironmentId,
  { user_id: userId, browser_id: browserId }: ViewRequest,
): Promise<object> {
  const page = browserId ? { lacksProof: false, format: CONTENT_FORMAT, browserId } : undefined
  const [user, events, { content, receipts }] = await Promise.all([
    reader.find(environmentId, users, userId),
    listEventsOf(database, environmentId, 'user_id', userId, NEWEST, MOST_EVENTS),
    decisions.decide(environmentId, { userId, page, hasReceipts: true }),
  ])
  return {
    attributes: user ? JSON.parse(user.attributesJson) : null,
    events: events.map(({ name, time }) => ({ name, time })),
    content: content.map(({ key }) => key),
    receipts: receipts.map(receiptObject),
  }
}
