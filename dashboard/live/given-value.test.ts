import { expect, it } from 'vitest'
import { givenWords } from './given-value.ts'

const number = 'must be a number'

it.each([
  [
    '{"attributes":{"seats":{"add":"24"}}}',
    'attributes.seats.add',
    number,
    'It was the text "24". Send it without quotation marks.',
  ],
  ['{"attributes":{"seats":{"add":"many"}}}', 'attributes.seats.add', number, 'It was the text "many".'],
  [
    '{"groups":[{"id":"a"},{"id":7}]}',
    'groups[1].id',
    'must be a string',
    'It was the number 7. Send it in quotation marks.',
  ],
  ['{"prune":"true"}', 'prune', 'must be a boolean', 'It was the text "true". Send it without quotation marks.'],
  ['{"name":""}', 'name', 'must not be empty', 'It was empty.'],
  ['{"time":null}', 'time', 'must be a date-time', 'It was null.'],
  ['{"time":[1]}', 'time', 'must be a date-time', 'It was a list.'],
  ['{"time":{}}', 'time', 'must be a date-time', 'It was an object.'],
])('of %s it says about %s, which %s: %s', (body, field, message, words) => {
  expect(givenWords(body, field, message)).toBe(words)
})

it.each([
  ['{"name":"a"}', 'user_id'],
  ['{"name":"a', 'name'],
  ['{"name":"a"}', null],
  ['{"a":{}}', 'a.constructor'],
  [null, 'name'],
])('of %s and the field %s it says nothing', (body, field) => {
  expect(givenWords(body, field, number)).toBeUndefined()
})

it('shortens a long text', () => {
  expect(givenWords(JSON.stringify({ a: 'x'.repeat(500) }), 'a', number)).toHaveLength(
    'It was the text "".'.length + 61,
  )
})
