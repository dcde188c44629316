import { limits } from './limits.ts'
import { EVENT_NAME_PATTERN, isEventName } from './names.ts'

export const TRACKED = 'event.tracked'

/**
 * Every kind of notification: its topic, the resource that it carries, and its description. `event.tracked` stands for
 * `event.tracked.<name>`: there is one topic for every event name.
 */
export const notificationTopics = {
  'user.created': {
    object: 'User',
    summary: 'A user was created',
    description: 'A user was created by the first upsert of its id.',
  },
  'user.updated': {
    object: 'User',
    summary: 'A user was updated',
    description: 'An existing user was upserted, also when nothing changed.',
  },
  [TRACKED]: {
    object: 'Event',
    summary: 'An event was tracked',
    description: 'An event was tracked. The topic ends with the name of the event.',
  },
} as const

export type NotificationTopic = keyof typeof notificationTopics

/** A topic as a notification has it. */
export type Topic = Exclude<NotificationTopic, typeof TRACKED> | `${typeof TRACKED}.${string}`

/** What a subscription can name, except `event.tracked.<name>`: everything, a namespace, or one kind of notification. */
export const FIXED_TOPICS: readonly string[] = [
  '*',
  ...new Set(
    Object.keys(notificationTopics)
      .sort()
      .flatMap((topic) => [...levels(topic)]),
  ),
]

export const TOPIC_RULE =
  `must be one of ${FIXED_TOPICS.join(', ')}, or ${TRACKED}.<name> with an event name of at most ` +
  `${limits.eventNameCharacters} letters a-z, A-Z, digits, underscores, dashes and spaces`

/** The topics as a regular expression: the fixed ones, or `event.tracked.` and an event name. */
export const TOPIC_PATTERN = `^(${FIXED_TOPICS.map(escaped).join('|')}|${escaped(TRACKED)}\\.${EVENT_NAME_PATTERN.slice(1, -1)})$`

function escaped(topic: string): string {
  return topic.replace(/[.*]/g, '\\$&')
}

const fixed: ReadonlySet<string> = new Set(FIXED_TOPICS)

export function isTopic(text: string): boolean {
  if (fixed.has(text)) return true
  return text.startsWith(`${TRACKED}.`) && isEventName(text.slice(TRACKED.length + 1))
}

/** "Subscribing to a namespace matches everything below it." */
export function topicMatches(subscribed: string, topic: string): boolean {
  return subscribed === '*' || subscribed === topic || topic.startsWith(`${subscribed}.`)
}

/** The event that a test of a subscription sends, and its topic. It goes out whatever the topics of the subscription are. */
export const TEST_EVENT = 'webhook_test'
export const TEST_TOPIC: Topic = `${TRACKED}.${TEST_EVENT}`

/** Finds the subscribers of a topic with one look-up per level of the topic, for any number of subscriptions. */
export class TopicIndex<T> {
  readonly #subscribers = new Map<string, Set<T>>()

  constructor(entries: Iterable<[T, string[]]>) {
    for (const [subscriber, topics] of entries) {
      for (const topic of topics) this.#add(topic, subscriber)
    }
  }

  match(topic: string): readonly T[] {
    if (this.#subscribers.size === 0) return NOBODY
    const found = new Set(this.#subscribers.get('*'))
    for (const level of levels(topic)) {
      for (const subscriber of this.#subscribers.get(level) ?? []) found.add(subscriber)
    }
    return [...found]
  }

  #add(topic: string, subscriber: T): void {
    const subscribers = this.#subscribers.get(topic)
    if (subscribers) subscribers.add(subscriber)
    else this.#subscribers.set(topic, new Set([subscriber]))
  }
}

/** Most environments have no subscription, and every write asks. */
const NOBODY: readonly never[] = []

function* levels(topic: string): Generator<string> {
  for (let dot = topic.indexOf('.'); dot !== -1; dot = topic.indexOf('.', dot + 1)) yield topic.slice(0, dot)
  yield topic
}
