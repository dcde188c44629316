import type { IconName } from '../parts/icon.tsx'
import type { DraftLeaf } from './draft-leaf.ts'
import type { Row } from './tree.ts'

/** What a chip begins with. */
export interface Subject {
  glyph: { text: string } | { icon: IconName }
  /** `group`, in grey before the name. */
  scope?: string
  name: string
  /** A name of theirs, in mono. */
  isTheirs?: boolean
}

/** One button of a chip: its text, and what it opens. */
export interface ChipPart {
  key: string
  /** For those who do not see where it stands. */
  label: string
  text: string
  kind: 'op' | 'val'
  isTheirs?: boolean
  editor: Editor
}

export interface Choice {
  value: string
  label: string
  note?: string
}

/** Where example values come from. */
export interface ValueSource {
  of: 'user' | 'group' | 'membership' | 'event'
  name: string
  event?: string
}

/** What a button opens. `set` gives the row after the choice. */
export type Editor =
  | { type: 'list'; choices: readonly Choice[]; chosen: string | undefined; set: (value: string) => Row }
  | { type: 'text'; value: string; source?: ValueSource; hint?: string; set: (value: string) => Row }
  | { type: 'texts'; values: readonly string[]; source?: ValueSource; hint?: string; set: (values: string[]) => Row }
  | { type: 'several'; values: readonly string[]; choices: readonly Choice[]; set: (values: string[]) => Row }
  | { type: 'hours'; values: readonly [from: string, to: string]; set: (values: string[]) => Row }
  | { type: 'number'; value: number | undefined; unit?: string; set: (value: number) => Row }
  | { type: 'range'; values: readonly number[]; set: (values: number[]) => Row }
  | { type: 'instant'; value: string; set: (value: string) => Row }
  | { type: 'duration'; value: string; set: (value: string) => Row }

export type SetLeaf = (leaf: DraftLeaf) => Row
