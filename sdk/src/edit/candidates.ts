import type { OfferedLocator } from '../../../contract/sdk/edit.ts'
import { matchesOf } from '../page/find.ts'
import { normal } from '../page/locator.ts'
import { implicit, nameOf } from '../page/roles.ts'
import { attributeNames, type Inference, isTrusted, trustedClasses } from './inference.ts'

/** A way to find an element, with what it rests on. */
export interface Candidate extends OfferedLocator {
  kind: string
}

const LONGEST_TEXT = 80
const LONGEST_LOCATOR = 500
const MOST_CLASSES = 3
/** Each is measured whether it is visible: more than these make the pointer stop on a page of 10,000 rows. */
export const MOST_MATCHES = 100

/** Every way to find an element, best first, also those that find others too. */
export function candidatesOf(element: Element, inference: Inference): Candidate[] {
  const made = [
    ...byAttributes(element, inference),
    ...byRole(element),
    ...byText(element),
    ...byClasses(element, inference),
    { locator: `css=${pathOf(element, inference)}`, stability: 'weak' as const, kind: 'position' },
  ]
  return made
    .filter(({ locator }) => locator.length <= LONGEST_LOCATOR)
    .map((one) => ({ ...one, matches: matchesOf(one.locator, MOST_MATCHES).length }))
}

/** Those that are offered: they find this element and no other. */
export function offeredOf(candidates: readonly Candidate[], element: Element): OfferedLocator[] {
  return candidates
    .filter(({ locator, matches }) => matches === 1 && matchesOf(locator, 2)[0] === element)
    .map(({ locator, matches, stability }) => ({ locator, matches, stability }))
}

/** The kind of a locator that a member wrote, by its notation. */
export function stabilityOf(locator: string): Pick<Candidate, 'stability' | 'kind'> {
  if (locator.startsWith('testid=')) return { stability: 'stable', kind: 'test id' }
  if (locator.startsWith('role=')) return { stability: 'fair', kind: 'role and name' }
  if (locator.startsWith('text=')) return { stability: 'fair', kind: 'text' }
  return /^css=\w*(?:#[\w-]+|\[name=[^\]]+\])$/.test(locator)
    ? { stability: 'stable', kind: 'id or name' }
    : { stability: 'weak', kind: 'selector' }
}

type Made = Omit<Candidate, 'matches'>

function byAttributes(element: Element, inference: Inference): Made[] {
  return trustedAttributes(element, inference).map(([name, value]): Made => {
    if (name === 'data-testid' || name === 'data-usher')
      return { locator: `testid=${value}`, stability: 'stable', kind: 'test id' }
    return { locator: `css=${attributeSelector(element, name, value)}`, stability: 'stable', kind: name }
  })
}

function trustedAttributes(element: Element, inference: Inference): [name: string, value: string][] {
  return attributeNames(inference).flatMap((name): [string, string][] => {
    const value = element.getAttribute(name)
    return value?.trim() && isTrusted(inference, name, value) ? [[name, value]] : []
  })
}

function attributeSelector(element: Element, name: string, value: string): string {
  if (name === 'id') return `#${CSS.escape(value)}`
  return `${name.startsWith('data-') ? '' : element.localName}[${CSS.escape(name)}="${CSS.escape(value)}"]`
}

function byRole(element: Element): Made[] {
  const role = roleOf(element)
  const name = role === null ? '' : nameOf(element)
  if (name === '' || name.length > LONGEST_TEXT) return []
  return [{ locator: `role=${role}[name="${quoted(name)}"]`, stability: 'fair', kind: 'role and name' }]
}

/** The role of an element; null when it has none that a locator can name. */
function roleOf(element: Element): string | null {
  const said = element.getAttribute('role')?.trim().split(/\s+/, 1)[0]
  if (said) return /^[a-z]+$/.test(said) ? said : null
  return Object.keys(implicit).find((role) => element.matches(implicit[role] as string)) ?? null
}

function byText(element: Element): Made[] {
  const text = normal((element.textContent ?? '').slice(0, 1_000))
  if (text === '' || text.length > LONGEST_TEXT) return []
  return [{ locator: `text="${quoted(text)}"`, stability: 'fair', kind: 'text' }]
}

const quoted = (text: string) => text.replace(/["\\]/g, '\\$&')

function byClasses(element: Element, inference: Inference): Made[] {
  const classes = trustedClasses(inference, element).slice(0, MOST_CLASSES)
  if (classes.length === 0) return []
  const selector = classes.map((name) => `.${CSS.escape(name)}`).join('')
  return [{ locator: `css=${element.localName}${selector}`, stability: 'weak', kind: 'class names' }]
}

/** From the nearest element around it that has a stable attribute, by names and positions. */
function pathOf(element: Element, inference: Inference): string {
  const parts: string[] = []
  for (let one: Element | null = element; one; one = one.parentElement) {
    const [stable] = one === element ? [] : trustedAttributes(one, inference)
    if (stable) return [attributeSelector(one, ...stable), ...parts].join(' > ')
    parts.unshift(positionOf(one))
    if (one.localName === 'body') break
  }
  return parts.join(' > ')
}

function positionOf(element: Element): string {
  const tag = CSS.escape(element.localName)
  const siblings = [...(element.parentNode?.children ?? [])].filter(({ localName }) => localName === element.localName)
  return siblings.length < 2 ? tag : `${tag}:nth-of-type(${siblings.indexOf(element) + 1})`
}
