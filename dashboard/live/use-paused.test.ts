import { expect, it } from 'vitest'
import { newSince } from './use-paused.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id }))

it.each([
  [rows('c', 'b', 'a'), rows('a'), 2],
  [rows('a'), rows('a'), 0],
  [rows('b', 'a'), rows(), 2],
  [rows('z'), rows('a'), 500],
])('counts the rows above the one that was newest when reading began', (live, frozen, count) => {
  expect(newSince(live, frozen)).toBe(count)
})
