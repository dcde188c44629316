import { expect, it } from 'vitest'
import { begin, change, redo, undo } from './history.ts'

it('undo and redo go back and forth, and a change forgets what was undone', () => {
  const third = change(change(begin('a'), 'b'), 'c')
  expect(undo(third).now).toBe('b')
  expect(undo(undo(undo(third))).now).toBe('a')
  expect(redo(undo(third)).now).toBe('c')
  expect(redo(change(undo(third), 'd')).now).toBe('d')
})

it('keeps 100 steps', () => {
  let history = begin(0)
  for (let step = 1; step <= 150; step++) history = change(history, step)
  expect(history.past).toHaveLength(100)
  expect(history.past[0]).toBe(50)
})
