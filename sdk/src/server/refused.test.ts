import { expect, it } from 'vitest'
import { leaveOut } from './refused.ts'

it('takes the refused attributes out of a body, also those of a group and its membership', () => {
  const body = {
    user_id: 'ada',
    attributes: { plan: 'x', 'a b': 1, count: { add: '1' } },
    group: { attributes: { size: [] }, membership: { role: {} } },
  }
  const params = ['attributes.count.add', 'attributes.a b', 'group.attributes.size', 'group.membership.role']
  expect(
    leaveOut(
      body,
      params.map((param) => ({ param, message: 'is wrong' })),
    ),
  ).toBe(true)
  expect(body).toEqual({ user_id: 'ada', attributes: { plan: 'x' }, group: { attributes: {}, membership: {} } })
})

it('takes out the key that an older server does not know', () => {
  const body = { name: 'clicked', key: 'a-key-of-8' }
  expect(leaveOut(body, [{ param: 'key', message: 'is not a known field' }])).toBe(true)
  expect(body).toEqual({ name: 'clicked' })
})

it.each([
  [[]],
  [[{}]],
  [[{ param: 'user_id' }]],
  [[{ param: 'attributes' }]],
  [[{ param: 'attributes.unknown' }]],
  [[{ param: 'attributes.plan' }, { param: 'user_id' }]],
])('changes nothing when something else was refused: %j', (refused) => {
  const body = { user_id: '', attributes: { plan: 'x' } }
  expect(leaveOut(body, refused)).toBe(false)
  expect(body).toEqual({ user_id: '', attributes: { plan: 'x' } })
})
