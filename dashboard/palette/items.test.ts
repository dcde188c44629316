import { expect, it } from 'vitest'
import { groupsOf } from './items.ts'

const nothing = {
  ...{ users: [], groups: [], events: [], attributes: [], endpoints: [], event: null, deliveries: [] },
  ...{ content: [], segments: [], why: [] },
}

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

it('leads from a question to the receipt that answers it, before anything else', () => {
  const pair = { user_id: 'u_1', user_name: 'Ada', content_id: 'c', content_name: 'Welcome tour' }
  const found = {
    ...nothing,
    request_id: null,
    why: [pair],
    content: [{ id: 'c', name: 'Welcome tour', type: 'flow' }],
  }
  const [first, second] = groupsOf('production', 'why does ada not see welcome', found, [])
  expect(first?.items[0]).toMatchObject({
    label: 'Why Ada sees Welcome tour, or not',
    link: { params: { contentId: 'c', userId: 'u_1' } },
  })
  expect(second?.items[0]).toMatchObject({ label: 'Welcome tour', note: 'flow' })
})
