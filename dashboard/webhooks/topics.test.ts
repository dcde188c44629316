import { describe, expect, it } from 'vitest'
import { isTopic } from '../../contract/topics.ts'
import { covers, type TopicNode, toggle, topicTree } from './topics.ts'

const all = (node: TopicNode): string[] => [node.topic, ...node.children.flatMap(all)]

describe('the tree of topics', () => {
  it('offers only topics that the contract knows', () => {
    expect(all(topicTree(['signed_up', 'Report exported'])).filter((topic) => !isTopic(topic))).toEqual([])
  })

  it('knows what a topic covers', () => {
    expect(covers(['user'], 'user.created')).toBe(true)
    expect(covers(['*'], 'event.tracked.signed_up')).toBe(true)
    expect(covers(['event.tracked.signed'], 'event.tracked.signed_up')).toBe(false)
  })

  it('drops what a chosen topic covers', () => {
    expect(toggle(['user.created', 'event.tracked.a'], 'user')).toEqual(['event.tracked.a', 'user'])
    expect(toggle(['user', 'event.tracked'], '*')).toEqual(['*'])
    expect(toggle(['user'], 'user')).toEqual([])
  })
})
