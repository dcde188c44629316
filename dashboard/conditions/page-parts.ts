import type { Operator } from '../../contract/conditions/condition.ts'
import { stringOperators } from '../../contract/conditions/condition.ts'
import { comparisonParts, MISSING, texts } from './attribute-parts.ts'
import type { ChipPart, SetLeaf } from './chip-part.ts'
import { OPERATORS } from './operators.ts'
import { listPart } from './other-parts.ts'
import type { Row } from './tree.ts'

const IS = [
  { value: 'yes', label: 'is' },
  { value: 'no', label: 'is not' },
]

const STATES = [
  { value: 'visible', label: 'is there' },
  { value: 'absent', label: 'is not there' },
  { value: 'clicked', label: 'was clicked' },
  { value: 'disabled', label: 'is disabled' },
]

const WIDTHS = [
  { value: 'at_least', label: 'is at least' },
  { value: 'at_most', label: 'is at most' },
]

/** Leaves that the browser decides: page, element, field, window and language. */
export function pageParts(row: Row, set: SetLeaf): ChipPart[] {
  const { leaf } = row
  if ('url' in leaf) return urlParts(row, set)
  if ('element' in leaf)
    return [
      listPart('is', 'State', 'op', STATES, String(leaf.is ?? 'visible'), (is) => set({ ...leaf, is })),
      locatorPart(texts(leaf.element), (element) => set({ ...leaf, element })),
    ]
  if ('input' in leaf) {
    const where = locatorPart(texts(leaf.input), (input) => set({ ...leaf, input }))
    const filled = { value: 'filled', label: 'is filled' }
    const choices = [filled, ...stringOperators.map((value: Operator) => ({ value, label: OPERATORS[value] }))]
    const [, ...values] = leaf.is === 'filled' ? [] : comparisonParts(leaf, 'string', undefined, set)
    const { value: _, values: __, ...rest } = leaf
    const how = listPart('is', 'Operator', 'op', choices, String(leaf.is ?? ''), (is) => set({ ...rest, is }))
    return [where, how, ...values]
  }
  if ('viewport' in leaf) return widthParts(leaf.viewport as Record<string, number>, set)
  return [
    {
      key: 'locale',
      label: 'Languages',
      text: texts(leaf.locale).join(', ') || MISSING,
      kind: 'val',
      editor: { type: 'texts', values: texts(leaf.locale), hint: 'de, pt-BR', set: (locale) => set({ locale }) },
    },
  ]
}

function urlParts(row: Row, set: SetLeaf): ChipPart[] {
  const { isNegated = false, ...plain } = row
  const value = String(row.leaf.url)
  return [
    listPart('is', 'Operator', 'op', IS, isNegated ? 'no' : 'yes', (is) =>
      is === 'no' ? { ...plain, isNegated: true } : plain,
    ),
    {
      key: 'url',
      label: 'Page',
      text: value || MISSING,
      kind: 'val',
      isTheirs: true,
      editor: { type: 'text', value, hint: '/projects/*', set: (url) => set({ url }) },
    },
  ]
}

function locatorPart(values: string[], set: (values: string[]) => Row): ChipPart {
  const hint = 'testid=nav-timeline'
  const text = values.join(', ') || MISSING
  return {
    key: 'target',
    label: 'Element',
    text,
    kind: 'val',
    isTheirs: true,
    editor: { type: 'texts', values, hint, set },
  }
}

function widthParts(viewport: Record<string, number>, set: SetLeaf): ChipPart[] {
  const chosen = viewport.at_most === undefined ? 'at_least' : 'at_most'
  const value = viewport[chosen]
  return [
    listPart('how', 'Operator', 'op', WIDTHS, chosen, (next) => set({ viewport: { [next]: value ?? 720 } })),
    {
      key: 'width',
      label: 'Width',
      text: value === undefined ? MISSING : `${value} px`,
      kind: 'val',
      editor: { type: 'number', value, unit: 'pixels', set: (width) => set({ viewport: { [chosen]: width } }) },
    },
  ]
}
