import { expect, it } from 'vitest'
import { groupsOf } from './items.ts'

const nothing = { users: [], groups: [], events: [], attributes: [], endpoints: [], event: null, deliveries: [] }

const itemsOf = (text: string, requestId: string | null = null) => {
  const found = { ...nothing, request_id: requestId }
  return groupsOf('production', text, found, [])
}

it('offers a request that was pasted once, and first, also before the server has answered', () => {
  const request = { title: 'Requests', items: [expect.objectContaining({ label: 'Find the request req_1' })] }
  expect(itemsOf('req_1', 'req_1')).toEqual([request])
  expect(itemsOf('req_1')).toEqual([request])
})

it('reaches the first steps, which no page of the navigation is', () => {
  expect(itemsOf('set up')).toEqual([
    { title: 'Do', items: [expect.objectContaining({ label: 'Set up the first integration' })] },
  ])
})
