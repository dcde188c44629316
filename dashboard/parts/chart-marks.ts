/** Something that happened at a time of a chart, and whether its words are shown. */
export interface Mark {
  at: string
  label: string
  /** It gets its words first. */
  isMain?: boolean
}

export interface PlacedMark {
  label: string
  /** From the left, in per cent of the plot. */
  left: number
  isNamed: boolean
  /** Its words are on its left, as there is no room on the right. */
  isFlipped: boolean
}

/** Words of two marks that are nearer than this, in per cent of the plot, would cover each other. */
const ROOM = 25

/** Where the marks within a chart are. Each has its line; words only where they have room, those of the main one first. */
export function placeMarks(marks: readonly Mark[], from: number, to: number): PlacedMark[] {
  const within = marks
    .map(({ at, label, isMain = false }) => ({ label, isMain, left: (100 * (Date.parse(at) - from)) / (to - from) }))
    .filter(({ left }) => left >= 0 && left <= 100)
    .sort((a, b) => Number(b.isMain) - Number(a.isMain) || b.left - a.left)
  const taken: number[] = []
  return within.map(({ label, left }) => {
    const isFlipped = left > 100 - ROOM
    // The words take the room on the right of their line, or on its left.
    const start = isFlipped ? left - ROOM : left
    const isNamed = taken.every((other) => Math.abs(other - start) >= ROOM)
    if (isNamed) taken.push(start)
    return { label, left, isNamed, isFlipped }
  })
}
