import { type Locator, normal, readLocator } from './locator.ts'
import { labelsIn, nameOf, roleSelector } from './roles.ts'

/** What a list of locators finds: the element, and which locator found it; or how many the best one found. */
export type Found = { element: Element; locator: string } | { element: null; matches: number }

/** Before the page was searched for it. */
export const UNKNOWN: Found = { element: null, matches: 0 }

/** More than these are as good as "several". */
const ENOUGH = 2
/** Elements that a search by text looks into. Others are behind the 50 ms that a task of ours may take. */
const MOST_TEXTS = 20_000
/** Of the text of one element, in characters. */
const LONGEST_TEXT = 2_000
/** How far around a word the rest of the text may be. */
const MOST_LEVELS = 4

/** For so long a look begins searches. A search takes 1 to 15 ms on a page of 5,000 elements, and a task at most 50. */
const SEARCHES_MS = 15

/** What the searches of this round have found, by their locators, and those of the round before. */
let [found, foundBefore] = [new Map<string, Found>(), new Map<string, Found>()]
/** While a look is under way: the roots of the page once they are needed, and until when searches begin. */
let looking: { roots?: readonly ParentNode[]; until?: number } | null = null
let isCut = false

/**
 * In `work`, all who ask for the same locators share one search. When its time is over, what was found before counts, and false
 * is returned: the next look goes on with the searches that are left. All of them are a round. `isSame`: the page was looked at
 * a moment ago, and what was found then still counts.
 */
export function look(work: () => void, isSame = false): boolean {
  if (!isCut && !isSame) [foundBefore, found] = [found, new Map()]
  isCut = false
  looking = {}
  try {
    work()
  } finally {
    looking = null
  }
  return !isCut
}

/** Nobody waits for elements: none is held any more. */
export function forgetFound(): void {
  found.clear()
  foundBefore.clear()
}

/** The first locator that finds exactly one visible element counts. Between looks, what the last one has found and is there. */
export function find(locators: readonly string[]): Found {
  const key = locators.join('\n')
  const now = performance.now()
  if (looking && !found.has(key)) {
    looking.until ??= now + SEARCHES_MS
    if (now < looking.until) found.set(key, search(locators))
    else isCut = true
  }
  const known = found.get(key) ?? foundBefore.get(key) ?? UNKNOWN
  if (looking) return known.element?.isConnected === false ? UNKNOWN : known
  return known.element && isThere(known.element) ? known : search(locators)
}

function search(locators: readonly string[]): Found {
  const roots = rootsOfPage()
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
  return visibleMatches(text, rootsOfPage(), most)
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
        return withName(root, locator)
      case 'text':
        return withText(root, locator)
    }
  } catch {
    // A selector that this browser cannot read finds nothing.
    return []
  }
}

const quoted = (text: string) => `"${CSS.escape(text)}"`

function withName(root: ParentNode, { role, name }: { role: string; name: string | null }): Iterable<Element> {
  const elements = root.querySelectorAll(roleSelector(role))
  return name === null ? elements : named(elements, normal(name).toLowerCase(), labelsIn(root))
}

function* named(elements: Iterable<Element>, name: string, labels: ReturnType<typeof labelsIn>): Iterable<Element> {
  for (const element of elements) if (nameOf(element, labels).toLowerCase() === name) yield element
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

/** The document and the open shadow roots in it. In a look they are gathered once. */
export function rootsOfPage(): readonly ParentNode[] {
  const roots = looking?.roots ?? [...rootsOf(document)]
  if (looking) looking.roots = roots
  return roots
}

function* rootsOf(root: ParentNode): Iterable<ParentNode> {
  yield root
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)
  while (walker.nextNode()) {
    const element = walker.currentNode as Element
    if (element.shadowRoot && !isOurs(element)) yield* rootsOf(element.shadowRoot)
  }
}

/** Has a box and is not hidden by a style. */
function isVisible(element: Element): boolean {
  const box = element.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return false
  if ('checkVisibility' in element)
    return element.checkVisibility({
      contentVisibilityAuto: true,
      checkOpacity: true,
      checkVisibilityCSS: true,
    })
  const { visibility, display } = getComputedStyle(element)
  return visibility === 'visible' && display !== 'none'
}

export function isThere(element: Element): boolean {
  return element.isConnected && isVisible(element)
}

function isOurs(element: Element): boolean {
  return element.hasAttribute('data-usher-widget')
}
