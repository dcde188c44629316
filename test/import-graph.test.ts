import { expect, test } from 'vitest'
import { cycles, fileGraph, folderGraph } from './support/import-graph.ts'

const files = fileGraph('server')

test('no folder of the server imports one that imports it', () => {
  expect(cycles(folderGraph(files))).toEqual([])
})

test.each(['server', 'contract', 'dashboard', 'client/src', 'sdk/src'])(
  'no file of %s imports one that imports it',
  (root) => {
    const graph = root === 'server' ? files : fileGraph(root)
    expect(graph.size).toBeGreaterThan(10)
    expect(cycles(graph)).toEqual([])
  },
)

test('the graph of imports sees them all, types and lazy ones included', () => {
  expect(files.get('main.ts')?.size).toBeGreaterThan(0)
  expect(files.get('process/boot.ts')).toContain('process/start.ts')
  expect(
    cycles(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
        ['c', new Set(['a'])],
        ['d', new Set(['a'])],
      ]),
    ),
  ).toEqual([['a', 'b', 'c']])
})
