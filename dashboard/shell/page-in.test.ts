import { expect, it } from 'vitest'
import { pageIn } from './page-in.ts'

it.each([
  ['/production', '/staging'],
  ['/production/users', '/staging/users'],
  ['/production/users/u_1', '/staging/users'],
  ['/production/webhooks/1/2', '/staging/webhooks'],
  ['/production/requests/req_1', '/staging/live'],
])('leads from %s to %s in the other environment', (from, to) => {
  expect(pageIn(from, 'staging')).toBe(to)
})
