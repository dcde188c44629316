import { kindOf, type LeafKind } from '../../contract/conditions/kinds.ts'
import { attributeParts, comparisonParts } from './attribute-parts.ts'
import { answerTypeOf, type Catalogue, type DataType, typeOf } from './catalogue.ts'
import type { ChipPart, SetLeaf, Subject } from './chip-part.ts'
import type { DraftLeaf } from './draft-leaf.ts'
import { eventParts } from './event-parts.ts'
import { contentParts, segmentParts } from './other-parts.ts'
import { pageParts } from './page-parts.ts'
import { timeParts } from './time-parts.ts'
import type { Row } from './tree.ts'

/** The buttons of a row behind its subject. */
export function partsOf(row: Row, catalogue: Catalogue): ChipPart[] {
  const set: SetLeaf = (leaf) => ({ ...row, leaf })
  switch (leafKind(row.leaf)) {
    case undefined:
      return []
    case 'attribute':
      return attributeParts(row.leaf, catalogue, set)
    case 'event':
      return eventParts(row.leaf, catalogue, set)
    case 'segment':
      return segmentParts(row.leaf, catalogue, set)
    case 'content':
      return contentParts(row.leaf, catalogue, set)
    case 'answer':
      return answerParts(row.leaf, catalogue, set)
    case 'time':
      return timeParts(row.leaf, set)
    default:
      return pageParts(row, set)
  }
}

/** Undefined for a row that nothing is chosen for yet. */
function leafKind(leaf: DraftLeaf): LeafKind | undefined {
  return Object.keys(leaf).length === 0 ? undefined : kindOf(leaf)
}

const GLYPHS: Record<DataType, Subject['glyph']> = {
  string: { text: 'Aa' },
  number: { text: '12' },
  boolean: { icon: 'toggle' },
  datetime: { icon: 'clock' },
}

export const glyphOf = (type: DataType): Subject['glyph'] => GLYPHS[type]

const OTHERS: Record<Exclude<LeafKind, 'attribute' | 'event' | 'answer'>, Subject> = {
  segment: { glyph: { icon: 'segments' }, name: 'Segment' },
  content: { glyph: { icon: 'content' }, name: 'Content' },
  time: { glyph: { icon: 'clock' }, name: 'Time' },
  url: { glyph: { icon: 'page' }, name: 'Page' },
  element: { glyph: { icon: 'target' }, name: 'Element' },
  input: { glyph: { icon: 'pencil' }, name: 'Field' },
  viewport: { glyph: { icon: 'screen' }, name: 'Window' },
  locale: { glyph: { icon: 'book' }, name: 'Language' },
}

export function subjectOf(leaf: DraftLeaf, catalogue: Catalogue): Subject | undefined {
  const kind = leafKind(leaf)
  if (kind === undefined) return undefined
  if (kind === 'attribute') {
    const of = (leaf.of ?? 'user') as 'user' | 'group' | 'membership'
    const name = String(leaf.attribute)
    return {
      glyph: glyphOf(typeOf(catalogue, name, of)),
      ...(of === 'user' ? {} : { scope: of }),
      name,
      isTheirs: true,
    }
  }
  if (kind === 'event')
    return {
      glyph: { icon: 'events' },
      ...(leaf.by === 'group' ? { scope: 'group' } : {}),
      name: String(leaf.event),
      isTheirs: true,
    }
  if (kind === 'answer')
    return { glyph: { icon: 'ask' }, scope: `answer, ${leaf.answer}`, name: String(leaf.question), isTheirs: true }
  return OTHERS[kind]
}

function answerParts(leaf: DraftLeaf, catalogue: Catalogue, set: SetLeaf): ChipPart[] {
  return comparisonParts(leaf, answerTypeOf(catalogue, String(leaf.answer), String(leaf.question)), undefined, set)
}
