import { expect, it } from 'vitest'
import { countLacking, foundWords, type Line, linesOf } from './lines.ts'

const leaf = (path: string, met: boolean | null) => ({ path, met, value: null, needed: '', sentence: path })
const shown = (lines: Line[]) =>
  lines.map((line) =>
    line.kind === 'group'
      ? `${'  '.repeat(line.depth)}${line.words}: ${line.met}, ${line.holding}`
      : `${'  '.repeat(line.depth)}${line.leaf.path}`,
  )

it('says once what is needed', () => {
  const needed = '"growth" is needed'
  expect(foundWords({ sentence: `plan is "starter", ${needed}`, needed })).toBe('plan is "starter"')
  expect(foundWords({ sentence: 'seats is 21', needed: 'at least 5 is needed' })).toBe('seats is 21')
})

it('shows a single line without a group', () => {
  expect(shown(linesOf([leaf('', true)]))).toEqual([''])
})

it('nests groups by the paths of their lines, each with its outcome', () => {
  const lines = linesOf([
    leaf('all[0]', true),
    leaf('all[1].any[0]', false),
    leaf('all[1].any[1]', true),
    leaf('all[2].not.any[0]', true),
    leaf('all[2].not.any[1]', false),
    leaf('all[3].not.all[0]', false),
    leaf('all[3].not.all[1]', true),
    leaf('all[4].not', true),
  ])
  expect(shown(lines)).toEqual([
    'All of these: false, 4 of 5 hold',
    '  all[0]',
    '  Any of these: true, 1 of 2 holds',
    '    all[1].any[0]',
    '    all[1].any[1]',
    '  None of these: false, 1 of 2 holds',
    '    all[2].not.any[0]',
    '    all[2].not.any[1]',
    '  Not all of these: true, 1 of 2 holds',
    '    all[3].not.all[0]',
    '    all[3].not.all[1]',
    '  all[4].not',
  ])
})

it('does not know a group that depends on an unknown line', () => {
  const [any] = linesOf([leaf('any[0]', false), leaf('any[1]', null)])
  expect(any).toMatchObject({ met: null })
  const [decided] = linesOf([leaf('any[0]', true), leaf('any[1]', null)])
  expect(decided).toMatchObject({ met: true })
})

it('does not count a line in a group that holds without it', () => {
  const leaves = [leaf('all[0]', false), leaf('all[1].any[0]', false), leaf('all[1].any[1]', true)]
  expect(countLacking(leaves)).toBe(1)
  expect(linesOf(leaves).map(({ isMoot }) => isMoot)).toEqual([false, false, false, true, true])
  expect(countLacking([leaf('any[0]', false), leaf('any[1]', false)])).toBe(2)
})
