import { expect, it } from 'vitest'
import { messageOf } from './reasons.ts'

it.each([
  [{ field: 'attributes.seats.add', message: 'attributes.seats.add: must be a number' }, 'must be a number'],
  [{ field: 'time', message: 'name: is required; time: must be a date-time' }, 'must be a date-time'],
  [{ field: '', message: 'The API key is not known, or was revoked.' }, 'The API key is not known, or was revoked.'],
  [{ field: 'user_id', message: "User with id 'u' not found" }, "User with id 'u' not found"],
  [{ field: null, message: null }, ''],
])('says of %j: %s', (reason, text) => {
  expect(messageOf(reason)).toBe(text)
})
