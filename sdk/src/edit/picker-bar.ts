import type { Stability } from '../../../contract/sdk/edit.ts'
import { element } from '../widgets/element.ts'
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

const HINT = 'Point at the element and click. Hold Shift to use the page as usual.'
const words: Record<Stability, string> = { stable: 'Stable', fair: 'Fair', weak: 'Weak' }
const MOST_ANCESTORS = 4

/** The bar of the picker, as drawn: the selector, what it matches, the page, what is around, and the order of the locators. */
export function drawPickerBar(
  surface: Surface,
  title: string,
  acts: { use(): void; cancel(): void; write(locator: string): void },
): PickerBar {
  const use = barButton('Use this element', acts.use, 'main')
  const head = headRow(title, HINT, barButton('Cancel', acts.cancel), use)
  const hint = head.querySelector('p') as HTMLElement
  const field = element('input', { 'aria-label': 'Selector', spellcheck: 'false', autocomplete: 'off' })
  field.addEventListener('input', (event) => event.isTrusted && acts.write(field.value.trim()))
  const [matches, page, inside] = [element('dd'), element('dd', { class: 'mono' }), element('dd', { class: 'inside' })]
  const list = element('ol')
  const alternatives = element('div', { class: 'alts' }, element('span', { class: 't2' }, 'Tried in this order'), list)
  const facts = element('dl')
  for (const [name, fact] of Object.entries({
    Selector: element('dd', {}, field),
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
      hint.textContent = note ?? HINT
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

function matchWords(shown: Candidate | undefined): HTMLElement[] {
  if (!shown) return []
  const isOne = shown.matches === 1
  const count = element('span', { class: isOne ? 'ok' : 'bad' }, countWords(shown.matches))
  if (!isOne) count.append(', exactly one is needed')
  const quality = `${words[shown.stability]}: ${shown.kind}`
  return [count, element('span', { class: shown.stability === 'weak' ? 'warn' : 'ok' }, quality)]
}

function around(target: Element): HTMLElement[] {
  const path = pathTo(target, MOST_ANCESTORS)
  const tags = path.flatMap((one, index) => {
    const isShadow = one.parentNode instanceof ShadowRoot
    const tag = element('span', { class: one === target ? 'tag on' : 'tag' }, shortName(one))
    const before = index === 0 ? [] : [element('span', { class: 't2' }, isShadow ? '› shadow root ›' : '›')]
    return [...before, tag]
  })
  return [...tags, element('span', { class: 't2' }, '↑ wider ↓ narrower')]
}

function alternative({ kind, matches, stability }: Candidate): HTMLElement {
  const isOut = matches !== 1
  const said = isOut ? `${stability}; ${numberWords(matches)} match, so it is left out` : `${stability}; 1 match`
  const language = !isOut && (kind === 'text' || kind === 'role and name') ? '; changes with the language' : ''
  return element('li', isOut ? { class: 'warn' } : {}, element('b', {}, kind), said + language)
}
