import type { Stability } from '../../../contract/sdk/edit.ts'
import { drawing, element } from '../widgets/element.ts'
import { pathTo } from './ancestors.ts'
import { type Candidate, MOST_MATCHES } from './candidates.ts'
import { barButton, headRow, shortName } from './parts.ts'
import type { Surface } from './surface.ts'

export interface PickerView {
  target: Element | null
  candidates: readonly Candidate[]
  /** The locator in the field. */
  shown: string
  /** How many locators find this element and no other. */
  offered: number
  isHeld: boolean
  note: string | null
}

export interface PickerBar {
  show(view: PickerView): void
}

const HINT = 'Point at the element and click. Hold Shift to use the page as usual. ↵ uses it, Esc cancels.'
const TOUCH_HINT = 'Tap the element. Scroll the page as usual.'
const words: Record<Stability, string> = { stable: 'Stable', fair: 'Fair', weak: 'Weak' }
const MOST_ANCESTORS = 4
const ORDER = 'Tried in this order'

/** The bar of the picker, as drawn: the selector, what it matches, the page, what is around, and the order of the locators. */
export function drawPickerBar(
  surface: Surface,
  title: string,
  acts: { use(): void; cancel(): void; write(locator: string): void },
): PickerBar {
  const hintWords = matchMedia('(pointer: coarse)').matches ? TOUCH_HINT : HINT
  const use = barButton('Use this element', acts.use, 'main')
  const cancel = barButton('Cancel', acts.cancel)
  use.setAttribute('aria-keyshortcuts', 'Enter')
  cancel.setAttribute('aria-keyshortcuts', 'Escape')
  const head = headRow(title, hintWords, cancel, use)
  const hint = head.querySelector('p') as HTMLElement
  const field = element('input', { 'aria-label': 'Selector', spellcheck: 'false', autocomplete: 'off' })
  field.addEventListener('input', (event) => event.isTrusted && acts.write(field.value.trim()))
  const [matches, page, inside] = [element('dd'), element('dd', { class: 'mono' }), element('dd', { class: 'inside' })]
  const list = element('ol')
  // It scrolls by the arrow keys while it has the focus.
  const alternatives = element(
    'div',
    { class: 'alts', role: 'group', tabindex: '0', 'aria-label': ORDER },
    element('span', { class: 't2' }, ORDER),
    list,
  )
  const edit = element('button', { class: 'pencil', type: 'button', 'aria-label': 'Edit the selector' }, pencil())
  edit.addEventListener('click', () => field.select())
  const facts = element('dl')
  for (const [name, fact] of Object.entries({
    Selector: element('dd', { class: 'field' }, field, edit),
    Matches: matches,
    Page: page,
    Inside: inside,
  }))
    facts.append(element('dt', {}, name), fact)
  const details = element('div', { class: 'row' }, facts, alternatives)
  surface.fill(head, details)
  return {
    show: ({ target, candidates, shown, offered, note }) => {
      details.hidden = !target && shown === ''
      use.disabled = offered === 0
      hint.textContent = note ?? hintWords
      if (surface.bar.getRootNode() instanceof ShadowRoot && !isTyping(field)) field.value = shown
      matches.replaceChildren(...matchWords(candidates.find(({ locator }) => locator === shown)))
      page.textContent = `${location.host}${location.pathname}`
      inside.replaceChildren(...(target ? around(target) : []))
      list.replaceChildren(...candidates.map(alternative))
    },
  }
}

const isTyping = (field: HTMLInputElement) => (field.getRootNode() as ShadowRoot).activeElement === field

export const countWords = (count: number) => (count === 1 ? '1 element' : `${numberWords(count)} elements`)

const numberWords = (count: number) => (count < MOST_MATCHES ? String(count) : `${MOST_MATCHES} or more`)

function matchWords(shown: Candidate | undefined): (HTMLElement | string)[] {
  if (!shown) return []
  const isOne = shown.matches === 1
  const count = state(isOne ? 'ok' : 'bad', countWords(shown.matches) + (isOne ? '' : ', exactly one is needed'))
  const quality = state(shown.stability === 'weak' ? 'warn' : 'ok', `${words[shown.stability]}: ${shown.kind}`)
  return isOne ? [count, quality, element('span', { class: 't2' }, 'found on this page')] : [count, quality]
}

/** A form for each, so that nobody needs the colour. */
const forms = {
  ok: 'M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8',
  warn: 'M5 1l4.500 8h-9z',
  bad: 'M2 1l3 3 3-3 1 1-3 3 3 3-1 1-3-3-3 3-1-1 3-3-3-3z',
}

function state(kind: keyof typeof forms, words: string): HTMLElement {
  const form = drawing('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, drawing('path', { d: forms[kind] }))
  return element('span', { class: `state ${kind}` }, form, words)
}

function pencil(): SVGElement {
  const line = drawing('path', { d: 'M3 13l.7-3L11 2.700a1 1 0 0 1 1.500 0l.8.8a1 1 0 0 1 0 1.500L6 12.300z' })
  return drawing('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, line)
}

function around(target: Element): HTMLElement[] {
  const path = pathTo(target, MOST_ANCESTORS)
  const tags = path.flatMap((one, index) => {
    const isShadow = one.parentNode instanceof ShadowRoot
    const tag = element('span', { class: one === target ? 'tag on' : 'tag' }, shortName(one))
    const before = index === 0 ? [] : [element('span', { class: 't2' }, isShadow ? '› shadow root ›' : '›')]
    return [...before, tag]
  })
  return [
    ...tags,
    element('span', { class: 't2 keys' }, ...KEYS.flatMap(([key, does]) => [element('kbd', {}, key), does])),
  ]
}

const KEYS = [
  ['↑', ' wider '],
  ['↓', ' narrower'],
] as const

function alternative({ kind, locator, matches, stability }: Candidate): HTMLElement {
  const isOut = matches !== 1
  const language = kind === 'text' || kind === 'role and name' ? ['changes with the language'] : []
  const count = isOut ? `${numberWords(matches)} match, so it is left out` : '1 match'
  const said = [stability, ...(isOut ? [] : language), count].join('; ')
  const title = element('b', {}, titleOf(kind, locator))
  return element('li', { class: isOut ? 'out' : null }, title, element('span', { class: isOut ? 'warn' : null }, said))
}

/** `Test id`, `Text “Copy for launch”`. */
function titleOf(kind: string, locator: string): string {
  const quoted = kind === 'text' || kind === 'role and name' ? /"(.*)"/.exec(locator)?.[1] : undefined
  const title = kind.charAt(0).toUpperCase() + kind.slice(1)
  return quoted === undefined ? title : `${title} “${quoted.replace(/\\(.)/g, '$1')}”`
}
