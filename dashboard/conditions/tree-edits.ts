import { type Box, isBox, isRow, MOST_LEVELS, type Part } from './tree.ts'

/** Edits of a tree. Each gives a new tree; what is not there changes nothing. */

export function replacePart(tree: Box, id: number, next: Part): Box {
  if (tree.id === id) return isBox(next) ? next : tree
  return mapParts(tree, (part) => (part.id === id ? [next] : [part]))
}

export function removePart(tree: Box, id: number): Box {
  return mapParts(tree, (part) => (part.id === id ? [] : [part]))
}

export function appendPart(tree: Box, boxId: number, part: Part): Box {
  return mapBoxes(tree, (box) => (box.id === boxId ? { ...box, parts: [...box.parts, part] } : box))
}

export function insertAfter(tree: Box, id: number, part: Part): Box {
  return mapParts(tree, (each) => (each.id === id ? [each, part] : [each]))
}

/**
 * Moves a part by one place: past its neighbour, into a group next to it, or out of its group at an end. A group stays where
 * there would be too many levels.
 */
export function movePart(tree: Box, id: number, step: 1 | -1): Box {
  const home = boxWith(tree, id)
  if (!home) return tree
  const index = home.parts.findIndex((part) => part.id === id)
  const part = home.parts[index] as Part
  const neighbour = home.parts[index + step]
  if (neighbour === undefined) return home.id === tree.id ? tree : moveOut(tree, home, part, step)
  const fits = isRow(part) || levelOf(tree, neighbour.id) + heightOf(part) <= MOST_LEVELS
  if (isBox(neighbour) && fits) {
    const parts = step === 1 ? [part, ...neighbour.parts] : [...neighbour.parts, part]
    return replacePart(removePart(tree, id), neighbour.id, { ...neighbour, parts })
  }
  const parts = home.parts.with(index, neighbour).with(index + step, part)
  return replacePart(tree, home.id, { ...home, parts })
}

/** Where a part is dropped: before another one, or at the end of a group. */
export type Goal = { before: number } | { into: number }

/** Moves a part anywhere. It stays where it is when it would be inside of itself, or too deep. */
export function dropPart(tree: Box, id: number, goal: Goal): Box {
  const part = partWith(tree, id)
  const goalId = 'before' in goal ? goal.before : goal.into
  const home = 'before' in goal ? boxWith(tree, goal.before) : undefined
  const box = 'before' in goal ? home?.id : goal.into
  if (!part || box === undefined || goalId === id || partWith(part, goalId)) return tree
  if (isBox(part) && levelOf(tree, box) + heightOf(part) > MOST_LEVELS) return tree
  const without = removePart(tree, id)
  if ('into' in goal) return appendPart(without, box, part)
  return mapParts(without, (each) => (each.id === goalId ? [part, each] : [each]))
}

/** The part itself or one inside of it. */
function partWith(part: Part, id: number): Part | undefined {
  if (part.id === id) return part
  if (!isBox(part)) return undefined
  for (const each of part.parts) {
    const found = partWith(each, id)
    if (found) return found
  }
  return undefined
}

function moveOut(tree: Box, home: Box, part: Part, step: 1 | -1): Box {
  const without = removePart(tree, part.id)
  return mapParts(without, (each) => {
    if (each.id !== home.id) return [each]
    return step === 1 ? [each, part] : [part, each]
  })
}

/** The group that a part stands in. */
function boxWith(tree: Box, id: number): Box | undefined {
  if (tree.parts.some((part) => part.id === id)) return tree
  for (const part of tree.parts) {
    const found = isBox(part) ? boxWith(part, id) : undefined
    if (found) return found
  }
  return undefined
}

/** 1 for the first group, 2 for a group in it. */
function levelOf(tree: Box, id: number): number {
  if (tree.id === id) return 1
  const home = boxWith(tree, id)
  return home ? levelOf(tree, home.id) + 1 : 0
}

function heightOf(part: Part): number {
  return isBox(part) ? 1 + Math.max(0, ...part.parts.map(heightOf)) : 0
}

function mapParts(tree: Box, change: (part: Part) => Part[]): Box {
  return { ...tree, parts: tree.parts.flatMap((part) => change(part).map((each) => deeper(each, change, part))) }
}

/** A part that was replaced is not looked through: its parts are new. */
function deeper(part: Part, change: (part: Part) => Part[], before: Part): Part {
  return isBox(part) && part === before ? mapParts(part, change) : part
}

function mapBoxes(tree: Box, change: (box: Box) => Box): Box {
  const next = change(tree)
  if (next !== tree) return next
  return { ...tree, parts: tree.parts.map((part) => (isBox(part) ? mapBoxes(part, change) : part)) }
}
