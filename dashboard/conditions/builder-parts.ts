import type { Catalogue } from './catalogue.ts'
import type { Drag } from './drag.ts'
import type { BuilderPlace } from './place.ts'
import type { Scope } from './queries.ts'
import type { Box } from './tree.ts'

/** What every row of a builder works with. */
export interface BuilderParts {
  catalogue: Catalogue
  place: BuilderPlace
  scope: Scope
  isReadOnly: boolean
  /** What the rows match by themselves, by their ids. */
  lines: ReadonlyMap<number, number>
  /** The figures are those of the condition before. */
  isOld: boolean
  drag: Drag
  edit: (edit: (tree: Box) => Box) => void
  onJson: () => void
}
