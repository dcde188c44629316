import { expect, it } from 'vitest'
import { type Changes, noChanges, redone, undone, withChange } from './undo.ts'

const edit = (changes: Changes<string>, before: string, after: string, field?: string, at = 0) =>
  withChange(changes, { name: `to ${after}`, before, after, field, at })

it('a change is undone and done again, with its name', () => {
  const changes = edit(edit(noChanges, 'a', 'b'), 'b', 'c')
  const back = undone(changes)
  expect([back?.value, back?.changes.past.at(-1)?.name, back?.changes.future.at(-1)?.name]).toEqual([
    'b',
    'to b',
    'to c',
  ])
  expect(redone(back?.changes as Changes<string>)?.value).toBe('c')
  expect(undone(noChanges)).toBeUndefined()
})

it('what is typed into a field in one go is one change, and another field or a pause begins another', () => {
  let changes = edit(noChanges, '', 'a', 'name', 0)
  changes = edit(changes, 'a', 'ab', 'name', 400)
  changes = edit(changes, 'ab', 'abc', 'text', 500)
  changes = edit(changes, 'abc', 'abcd', 'text', 9_000)
  expect(changes.past.map(({ before, after }) => [before, after])).toEqual([
    ['', 'ab'],
    ['ab', 'abc'],
    ['abc', 'abcd'],
  ])
})

it('a hundred changes are kept', () => {
  let changes: Changes<string> = noChanges
  for (let index = 0; index < 130; index++) changes = edit(changes, String(index), String(index + 1))
  expect(changes.past).toHaveLength(100)
  expect(changes.past[0]?.before).toBe('30')
})
