import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'
import { isEventName } from './names.ts'
import { FIXED_TOPICS, isTopic, notificationTopics, TOPIC_RULE, TopicIndex, TRACKED, topicMatches } from './topics.ts'

const longest = 'x'.repeat(limits.eventNameCharacters)

describe('event names', () => {
  it.each(['a', 'Order placed', 'order-placed_2', '-', ' ', '__proto__', longest])('accepts %j', (name) => {
    expect(isEventName(name)).toBe(true)
  })

  it.each(['', 'a.b', 'ü', 'a\n', 'a\tb', 'a/b', '*', `${longest}x`])('refuses %j', (name) => {
    expect(isEventName(name)).toBe(false)
  })
})

describe('topics', () => {
  it.each([...FIXED_TOPICS, 'event.tracked.Order placed', 'event.tracked.constructor', `event.tracked.${longest}`])(
    'accepts %j',
    (topic) => {
      expect(isTopic(topic)).toBe(true)
    },
  )

  it.each([
    '',
    'events',
    'User',
    'user.no_such_topic',
    'user.created.x',
    'user.*',
    'event.tracked.',
    'event.tracked.a.b',
    'event.trackedx',
    `event.tracked.${longest}x`,
    'toString',
  ])('refuses %j', (topic) => {
    expect(isTopic(topic)).toBe(false)
  })

  it('names every fixed topic in its rule', () => {
    for (const topic of FIXED_TOPICS) expect(TOPIC_RULE).toContain(topic)
  })
})

const name = fc.constantFrom('a', 'b', 'a b', 'a-b', 'tracked', 'constructor', '__proto__')
const emitted = fc.oneof(
  fc.constantFrom(...Object.keys(notificationTopics).filter((topic) => topic !== TRACKED)),
  name.map((n) => `event.tracked.${n}`),
)
const subscribed = fc.oneof(fc.constantFrom<string>(...FIXED_TOPICS), emitted)

/** The model: a topic and a subscription as lists of words, compared word by word. */
function modelMatches(subscription: string, topic: string): boolean {
  const words = topic.split('.')
  return subscription === '*' || subscription.split('.').every((word, i) => words[i] === word)
}

describe('matching', () => {
  it('of one subscription equals the model', () => {
    fc.assert(fc.property(subscribed, emitted, (s, t) => topicMatches(s, t) === modelMatches(s, t)))
  })

  it('of many subscriptions equals the model, each subscriber once', () => {
    const subscriptions = fc.array(fc.array(subscribed, { maxLength: 6 }), { maxLength: 30 })
    fc.assert(
      fc.property(subscriptions, emitted, (lists, topic) => {
        const index = new TopicIndex(lists.map((topics, i): [number, string[]] => [i, topics]))
        const expected = lists.flatMap((topics, i) => (topics.some((s) => modelMatches(s, topic)) ? [i] : []))
        expect(index.match(topic).toSorted((a, b) => a - b)).toEqual(expected)
      }),
    )
  })

  it('does not match a longer name that is not below the topic', () => {
    expect(topicMatches('event.tracked.order', 'event.tracked.orders')).toBe(false)
    expect(new TopicIndex([['x', ['event.tracked.order']]]).match('event.tracked.orders')).toEqual([])
  })
})
