import type {
  AnswerLeaf,
  AttributeLeaf,
  BrowserLeaf,
  ContentLeaf,
  ElementLeaf,
  EventLeaf,
  Group,
  InputLeaf,
  Leaf,
  LocaleLeaf,
  SegmentLeaf,
  ServerLeaf,
  TimeLeaf,
  UrlLeaf,
  ViewportLeaf,
} from './condition.ts'

/** Every kind of leaf. */
export interface Leaves {
  attribute: AttributeLeaf
  event: EventLeaf
  content: ContentLeaf
  segment: SegmentLeaf
  answer: AnswerLeaf
  time: TimeLeaf
  url: UrlLeaf
  element: ElementLeaf
  input: InputLeaf
  viewport: ViewportLeaf
  locale: LocaleLeaf
}

export type LeafKind = keyof Leaves

export const serverKinds = ['attribute', 'event', 'content', 'segment', 'answer', 'time'] as const
export const browserKinds = ['url', 'element', 'input', 'viewport', 'locale'] as const

/** The kinds with a key of their own name, which no other kind has. A leaf without any of them is about the time. */
const named = [...serverKinds.filter((kind) => kind !== 'time'), ...browserKinds]

/** What tells the kinds apart. */
export const leafKeys: readonly string[] = [...named, 'after', 'before', 'weekdays']

export function kindOf(leaf: object): LeafKind {
  return named.find((kind) => Object.hasOwn(leaf, kind)) ?? 'time'
}

export function isBrowserLeaf(leaf: Leaf): leaf is BrowserLeaf {
  return (browserKinds as readonly string[]).includes(kindOf(leaf))
}

export function isServerLeaf(leaf: Leaf): leaf is ServerLeaf {
  return !isBrowserLeaf(leaf)
}

/** What to do with each kind of leaf. */
export type ByKind<Kinds extends LeafKind, Result, Rest extends unknown[] = []> = {
  readonly [Kind in Kinds]: (leaf: Leaves[Kind], ...rest: Rest) => Result
}

/** Calls the function of the kind of this leaf. */
export function byKind<Result, Rest extends unknown[]>(
  table: ByKind<LeafKind, Result, Rest>,
  leaf: Leaf,
  ...rest: Rest
): Result {
  return table[kindOf(leaf)](leaf as never, ...rest)
}

/** Calls `visit` with every leaf of a tree and its path, in the order in which they are written. */
export function eachLeaf<L extends object>(tree: Group<L>, visit: (leaf: L, path: string) => void, path = ''): void {
  const below = (key: string) => (path === '' ? key : `${path}.${key}`)
  if ('all' in tree) for (const [index, part] of tree.all.entries()) eachLeaf(part, visit, `${below('all')}[${index}]`)
  else if ('any' in tree)
    for (const [index, part] of tree.any.entries()) eachLeaf(part, visit, `${below('any')}[${index}]`)
  else if ('not' in tree) eachLeaf(tree.not, visit, below('not'))
  else visit(tree, path)
}
