import { type Locator, normal, readLocator } from './locator.ts'
import { nameOf, roleSelector } from './roles.ts'

/** What a list of locators finds: the element, and which locator found it; or how many the best one found. */
export type Found = { element: Element; locator: string } | { element: null; matches: number }

/** More than these are as good as "several". */
const ENOUGH = 2
/** Elements that a search by text looks into. Others are behind the 50 ms that a task of ours may take. */
const MOST_TEXTS = 20_000
/** Of the text of one element, in characters. */
const LONGEST_TEXT = 2_000
/** How far around a word the rest of the text may be. */
const MOST_LEVELS = 4

/** The first locator that finds exactly one visible element counts. */
export function find(locators: readonly string[]): Found {
  const roots = [...rootsOf(document)]
  let matches = 0
  for (const text of locators) {
    const found = visibleMatches(text, roots, ENOUGH)
    const [element] = found
    if (element && found.length === 1) return { element, locator: text }
    matches = Math.max(matches, found.length)
  }
  return { element: null, matches }
}

/** The visible elements that match one locator, at most so many. For the picker. */
export function matchesOf(text: string, most: number): Element[] {
  return visibleMatches(text, [...rootsOf(document)], most)
}

function visibleMatches(text: string, roots: readonly ParentNode[], most: number): Element[] {
  const locator = readLocator(text)
  const found: Element[] = []
  for (const root of locator ? roots : []) {
    for (const element of matchesIn(locator as Locator, root)) {
      if (isOurs(element) || !isVisible(element)) continue
      found.push(element)
      if (found.length >= most) return found
    }
  }
  return found
}

function matchesIn(locator: Locator, root: ParentNode): Iterable<Element> {
  try {
    switch (locator.kind) {
      case 'css':
        return root.querySelectorAll(locator.value)
      case 'testid':
        return root.querySelectorAll(`[data-testid=${quoted(locator.value)}],[data-usher=${quoted(locator.value)}]`)
      case 'role':
        return withName(root.querySelectorAll(roleSelector(locator.role)), locator.name)
      case 'text':
        return withText(root, locator)
    }
  } catch {
    // A selector that this browser cannot read finds nothing.
    return []
  }
}

const quoted = (text: string) => `"${CSS.escape(text)}"`

function* withName(elements: Iterable<Element>, name: string | null): Iterable<Element> {
  const wanted = name === null ? null : normal(name).toLowerCase()
  for (const element of elements) if (wanted === null || nameOf(element).toLowerCase() === wanted) yield element
}

/** The smallest elements with the text. Only texts with its first word are looked at, and what is around them. */
function* withText(root: ParentNode, { value, isExact }: { value: string; isExact: boolean }): Iterable<Element> {
  const wanted = turned(value, isExact)
  const [word = ''] = wanted.split(' ', 1)
  // A document itself has no text.
  const whole = root instanceof Document ? root.body : root
  if (!(whole?.textContent ?? '').toLowerCase().includes(word.toLowerCase())) return
  const walker = document.createTreeWalker(root as Node, NodeFilter.SHOW_TEXT)
  const seen = new Set<Element | null>([null])
  const misses = new Set<Element>()
  for (let count = 0; count < MOST_TEXTS && walker.nextNode(); count++) {
    const { data, parentElement } = walker.currentNode as Text
    if (!parentElement || !turned(data, isExact).includes(word)) continue
    const element = SILENT.has(parentElement.localName) ? null : smallest(parentElement, wanted, isExact, misses)
    if (element && !seen.has(element)) yield element
    seen.add(element)
  }
}

/**
 * The element or the nearest around it whose text has, or is, what is wanted. `misses` are those that are known not to: what is
 * around 5,000 rows is read once, and not for each of them.
 */
function smallest(from: Element, wanted: string, isExact: boolean, misses: Set<Element>): Element | null {
  let element: Element | null = from
  for (let level = 0; element && level < MOST_LEVELS; level++) {
    const text = misses.has(element) ? '' : turned((element.textContent ?? '').slice(0, LONGEST_TEXT), isExact)
    if (isExact ? text === wanted : text.includes(wanted)) return element
    misses.add(element)
    element = element.parentElement
  }
  return null
}

const turned = (text: string, isExact: boolean) => (isExact ? normal(text) : normal(text).toLowerCase())

const SILENT = new Set(['script', 'style', 'noscript', 'template'])

/** The tree and the open shadow roots in it. */
function* rootsOf(root: ParentNode): Iterable<ParentNode> {
  yield root
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot && !isOurs(element)) yield* rootsOf(element.shadowRoot)
  }
}

/** Has a box and is not hidden by a style. */
export function isVisible(element: Element): boolean {
  const box = element.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return false
  if ('checkVisibility' in element)
    return element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      contentVisibilityAuto: true,
      checkOpacity: true,
      checkVisibilityCSS: true,
    } as CheckVisibilityOptions)
  const { visibility, display } = getComputedStyle(element)
  return visibility === 'visible' && display !== 'none'
}

function isOurs(element: Element): boolean {
  return element.hasAttribute('data-usher-widget')
}
