import { limits } from './limits.ts'
import { isName } from './names.ts'

export const TRACKED = 'event.tracked'

/** The contract's table of topics, but for `event.tracked.<name>`, of which there is one for every event name. */
export const FIXED_TOPICS = ['*', 'event', TRACKED, 'user', 'user.created', 'user.updated'] as const

export const TOPIC_RULE =
  `must be one of ${FIXED_TOPICS.join(', ')}, or ${TRACKED}.<name> with an event name of at most ` +
  `${limits.eventNameCharacters} letters a-z, A-Z, digits, underscores, dashes and spaces`

const fixed: ReadonlySet<string> = new Set(FIXED_TOPICS)

export function isTopic(text: string): boolean {
  if (fixed.has(text)) return true
  return text.startsWith(`${TRACKED}.`) && isName(text.slice(TRACKED.length + 1))
}

/** "Subscribing to a namespace matches everything below it." */
export function topicMatches(subscribed: string, topic: string): boolean {
  return subscribed === '*' || subscribed === topic || topic.startsWith(`${subscribed}.`)
}

/** Finds the subscribers of a topic with one look-up per level of it, however many subscriptions there are. */
export class TopicIndex<T> {
  readonly #subscribers = new Map<string, Set<T>>()

  constructor(entries: Iterable<[T, string[]]>) {
    for (const [subscriber, topics] of entries) {
      for (const topic of topics) this.#add(topic, subscriber)
    }
  }

  match(topic: string): T[] {
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

function* levels(topic: string): Generator<string> {
  for (let dot = topic.indexOf('.'); dot !== -1; dot = topic.indexOf('.', dot + 1)) yield topic.slice(0, dot)
  yield topic
}
