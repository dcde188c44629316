import { describe, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { type Box, isBox, newBox, newRow, type Part, readTree, rowsOf, treeOf } from './tree.ts'
import { appendPart, dropPart, insertAfter, movePart, removePart, replacePart } from './tree-edits.ts'

const plan: Condition = { attribute: 'plan', is: 'equals', value: 'growth' }
const seats: Condition = { attribute: 'seats', is: 'at_least', value: 5 }
const done: Condition = { event: 'task_completed' }

describe('a condition becomes a tree and back', () => {
  it.each<[string, Condition, Condition?]>([
    ['all of two leaves', { all: [plan, seats] }],
    ['one leaf, in a group', plan, { all: [plan] }],
    ['any within all', { all: [plan, { any: [seats, done] }] }],
    ['none of two', { all: [plan, { not: { any: [seats, done] } }] }],
    ['none of one', { all: [plan, { not: done }] }],
    ['not all of two', { not: { all: [seats, done] } }],
    ['a page that it is not', { all: [{ url: '/projects/*' }, { not: { url: '/projects/*/print' } }] }],
    ['more levels than rows have', { all: [{ any: [{ all: [{ any: [plan, { all: [seats, done] }] }] }] }] }],
  ])('%s', (_, condition, expected = condition) => {
    expect(readTree(treeOf(condition), 'page').condition).toEqual(expected)
  })
})

it('a row that is not finished is left out, together with groups that have nothing else', () => {
  const tree = newBox('all', [newRow({ ...plan }), newRow({ attribute: 'seats' }), newBox('any', [newRow()])])
  const { condition, unfinished } = readTree(tree, 'who')
  expect(condition).toEqual({ all: [plan] })
  expect(unfinished).toHaveLength(2)
})

it('the paths of rows are those of the condition without unfinished rows', () => {
  const inner = newBox('none', [newRow({ ...done }), newRow(), newRow({ ...seats })])
  const tree = newBox('all', [newRow(), newRow({ ...plan }), inner])
  expect([...readTree(tree, 'who').paths.values()]).toEqual(['all[0]', 'all[1].not.any[0]', 'all[1].not.any[1]'])
  const single = newBox('all', [newBox('none', [newRow({ ...done })])])
  expect([...readTree(single, 'who').paths.values()]).toEqual(['all[0].not'])
})

it('a tree without rows says nothing', () => {
  expect(readTree(treeOf(undefined), 'who')).toMatchObject({ condition: undefined, unfinished: [] })
})

describe('edits', () => {
  const [a, b, c] = [newRow({ event: 'a' }), newRow({ event: 'b' }), newRow({ event: 'c' })]
  const inner = newBox('any', [b, c])
  const tree = newBox('all', [a, inner])
  const words = (part: Part): unknown => (isBox(part) ? part.parts.map(words) : rowsOf(part)[0]?.leaf.event)
  const shape = (box: Box) => words(box)

  it('insert, append, replace and remove at their places', () => {
    const row = newRow({ event: 'n' })
    expect(shape(insertAfter(tree, b.id, row))).toEqual(['a', ['b', 'n', 'c']])
    expect(shape(appendPart(tree, inner.id, row))).toEqual(['a', ['b', 'c', 'n']])
    expect(shape(appendPart(tree, tree.id, row))).toEqual(['a', ['b', 'c'], 'n'])
    expect(shape(replacePart(tree, c.id, row))).toEqual(['a', ['b', 'n']])
    expect(shape(removePart(tree, inner.id))).toEqual(['a'])
    expect(shape(replacePart(tree, tree.id, newBox('none', [row])))).toEqual(['n'])
  })

  it('a move goes past a row, into a group, and out of it', () => {
    expect(shape(movePart(tree, b.id, 1))).toEqual(['a', ['c', 'b']])
    expect(shape(movePart(tree, a.id, 1))).toEqual([['a', 'b', 'c']])
    expect(shape(movePart(tree, b.id, -1))).toEqual(['a', 'b', ['c']])
    expect(shape(movePart(tree, c.id, 1))).toEqual(['a', ['b'], 'c'])
    expect(movePart(tree, a.id, -1)).toBe(tree)
  })

  it('a group does not move where there would be too many levels', () => {
    const deep = newBox('all', [newBox('any', [newBox('all', [a])])])
    const full = newBox('all', [deep.parts[0] as Part, newBox('any', [b])])
    expect(shape(movePart(full, (full.parts[1] as Part).id, -1))).toEqual([[['a'], ['b']]])
    const taller = newBox('any', [newBox('all', [b])])
    const stays = newBox('all', [deep.parts[0] as Part, taller])
    expect(shape(movePart(stays, taller.id, -1))).toEqual([[['b']], [['a']]])
  })
})

it('exactly n times is one row, and two leaves of the condition', () => {
  const event = { event: 'task_completed', within: '7d' } as const
  const pair = {
    all: [
      { ...event, at_least: 3 },
      { ...event, at_most: 3 },
    ],
  }
  const tree = treeOf({ all: [plan, pair] })
  expect(rowsOf(tree).map(({ leaf }) => leaf)).toEqual([plan, { ...event, exactly: 3 }])
  expect(readTree(tree, 'who')).toMatchObject({ condition: { all: [plan, pair] }, unfinished: [] })
  expect([...readTree(tree, 'who').paths.values()]).toEqual(['all[0]', 'all[1]'])
  const other = {
    all: [
      { ...event, at_least: 2 },
      { ...event, at_most: 3 },
    ],
  }
  expect(rowsOf(treeOf({ all: [plan, other] }))).toHaveLength(3)
})

describe('a part is dropped', () => {
  const rows = [newRow({ ...plan }), newRow({ ...seats }), newRow({ ...done })] as const
  const inner = newBox('any', [rows[2]])
  const tree = newBox('all', [rows[0], rows[1], inner])

  it('before another one, also in another group, and at the end of a group', () => {
    const before = dropPart(tree, rows[0].id, { before: rows[2].id })
    expect(readTree(before, 'who').condition).toEqual({ all: [seats, { any: [plan, done] }] })
    expect(readTree(dropPart(tree, rows[2].id, { before: rows[0].id }), 'who').condition).toEqual({
      all: [done, plan, seats],
    })
    const last = dropPart(tree, rows[0].id, { into: inner.id })
    expect(readTree(last, 'who').condition).toEqual({ all: [seats, { any: [done, plan] }] })
  })

  it('nowhere when it would be inside of itself or too deep', () => {
    for (const goal of [{ into: inner.id }, { before: rows[2].id }, { before: inner.id }])
      expect(dropPart(tree, inner.id, goal)).toBe(tree)
    const deep = newBox('all', [newBox('any', [newBox('all', [rows[0]])]), inner])
    const deepest = (((deep.parts[0] as Box).parts[0] as Box).parts[0] as Part).id
    expect(dropPart(deep, inner.id, { before: deepest })).toBe(deep)
  })
})
