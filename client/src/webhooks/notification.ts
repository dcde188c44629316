import type { Definitions, EventName } from '../attributes.ts'
import type { Event, User } from '../expand.ts'
import type * as wire from '../generated.ts'

type Envelope = Readonly<Omit<wire.WebhookNotification, 'topic' | 'data'>>

type Objects = wire.NotificationObjects

/** The topics whose notifications carry a user. */
type UserTopic = { [T in keyof Objects]: Objects[T] extends wire.User ? T : never }[keyof Objects]

/** One that is missing does not compile. */
const userTopics: Record<UserTopic, true> = { 'user.created': true, 'user.updated': true }

export type UserNotification<D extends Definitions = Definitions> = Envelope & {
  readonly topic: UserTopic
  readonly data: { readonly object: User<D> }
}

export type EventNotification<
  D extends Definitions = Definitions,
  N extends EventName<D> = EventName<D>,
> = N extends unknown
  ? Envelope & { readonly topic: `event.tracked.${N}`; readonly data: { readonly object: Event<D, never, N> } }
  : never

/** What is sent to a subscription. It may come more than once: its `id` stays the same. */
export type WebhookNotification<D extends Definitions = Definitions> = UserNotification<D> | EventNotification<D>

export function isUserNotification<D extends Definitions>(
  notification: WebhookNotification<D>,
): notification is UserNotification<D> {
  return Object.hasOwn(userTopics, notification.topic)
}

/** An event, or one of this name. */
export function isEventNotification<D extends Definitions, N extends EventName<D> = EventName<D>>(
  notification: WebhookNotification<D>,
  name?: N,
): notification is WebhookNotification<D> & EventNotification<D, N> {
  return name === undefined
    ? notification.topic.startsWith('event.tracked.')
    : notification.topic === `event.tracked.${name}`
}
