import type { Gate } from './queries.ts'

export type LeafFound = Gate['leaves'][number]

/** A row of what a rule came to: a line, or the head of a group of lines. `isMoot`: in a group that holds without it. */
export type Line = { depth: number; isMoot: boolean } & (
  | { kind: 'line'; leaf: LeafFound }
  | { kind: 'group'; path: string; words: string; met: boolean | null; holding: string }
)

interface Group {
  path: string
  isAny: boolean
  isNegated: boolean
  parts: (Group | LeafFound)[]
}

/** What was found, without what is needed, which stands beside it. */
export function foundWords({ sentence, needed }: Pick<LeafFound, 'sentence' | 'needed'>): string {
  const end = `, ${needed}`
  return sentence.endsWith(end) ? sentence.slice(0, -end.length) : sentence
}

/** The lines in the groups that their paths name: `all[2].any[0]` is the first of a group within another. */
export function linesOf(leaves: readonly LeafFound[]): Line[] {
  const root: Group = { path: '', isAny: false, isNegated: false, parts: [] }
  for (const leaf of leaves) groupOf(root, leaf.path).parts.push(leaf)
  return root.parts.flatMap((part) => rowsOf(part, 0, false))
}

/** How many lines do not hold, of those that matter. */
export function countLacking(leaves: readonly LeafFound[]): number {
  return linesOf(leaves).filter((line) => line.kind === 'line' && !line.isMoot && line.leaf.met !== true).length
}

function groupOf(root: Group, path: string): Group {
  let group = root
  let isNegated = false
  let walked = ''
  for (const [token, name] of path.matchAll(/\b(all|any|not)\b(?:\[\d+\])?\.?/g)) {
    if (name === 'not') isNegated = !isNegated
    else group = childOf(group, `${walked}${name}`, name === 'any', isNegated)
    walked += token
  }
  return group
}

function childOf(group: Group, path: string, isAny: boolean, isNegated: boolean): Group {
  const known = group.parts.find((part): part is Group => 'parts' in part && part.path === path)
  if (known) return known
  const child: Group = { path, isAny, isNegated, parts: [] }
  group.parts.push(child)
  return child
}

function rowsOf(part: Group | LeafFound, depth: number, isMoot: boolean): Line[] {
  if (!('parts' in part)) return [{ kind: 'line', depth, isMoot, leaf: part }]
  const outcomes = part.parts.map(metOf)
  const met = metOf(part)
  const holding = outcomes.filter((outcome) => outcome === true).length
  const words = `${holding} of ${outcomes.length} ${holding === 1 ? 'holds' : 'hold'}`
  const head: Line = { kind: 'group', depth, isMoot, path: part.path, words: wordsOf(part), met, holding: words }
  return [head, ...part.parts.flatMap((below) => rowsOf(below, depth + 1, isMoot || met === true))]
}

/** Lines within a negation are told in the negative, so that `not any` needs all of them, and `not all` one. */
function metOf(part: Group | LeafFound): boolean | null {
  if (!('parts' in part)) return part.met
  const outcomes = part.parts.map(metOf)
  const decides = part.isAny !== part.isNegated
  if (outcomes.includes(decides)) return decides
  return outcomes.includes(null) ? null : !decides
}

const wordsOf = ({ isAny, isNegated }: Group): string =>
  isNegated ? (isAny ? 'None of these' : 'Not all of these') : isAny ? 'Any of these' : 'All of these'
