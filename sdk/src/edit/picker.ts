import type { OfferedLocator } from '../../../contract/sdk/edit.ts'
import { find, matchesOf } from '../page/find.ts'
import { frameSentence, meantBy, wider } from './ancestors.ts'
import { type Candidate, candidatesOf, MOST_MATCHES, offeredOf, stabilityOf } from './candidates.ts'
import type { Inference } from './inference.ts'
import { shortName } from './parts.ts'
import { drawPickerBar, type PickerBar } from './picker-bar.ts'
import type { Surface } from './surface.ts'

/** Kept from the page while a member picks. Without `preventDefault` for touches, so that the page scrolls. */
const KEPT = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'auxclick',
  'touchstart',
  'touchend',
  'contextmenu',
]
/** Frames come, go and move, and a page may draw anew what was chosen. */
const LOOK_MS = 500
const KEYS = ['ArrowUp', 'ArrowDown', 'Enter', 'Escape']

export interface PickerEnds {
  use(locators: OfferedLocator[]): void
  cancel(): void
}

/**
 * Lets a member choose an element: it follows the pointer until a click or a tap holds one. Only what a person does counts, and
 * while Shift is held the page reacts as usual.
 */
export class Picker {
  readonly #surface: Surface
  readonly #inference: Inference
  readonly #ends: PickerEnds
  readonly #bar: PickerBar
  readonly #timer: ReturnType<typeof setInterval>
  #isShift = false
  #pointed: Element | null = null
  #isHeld = false
  /** The elements that ↑ has left, so that ↓ goes back to them. */
  #narrower: Element[] = []
  #candidates: Candidate[] = []

  constructor(surface: Surface, inference: Inference, title: string, ends: PickerEnds) {
    this.#surface = surface
    this.#inference = inference
    this.#ends = ends
    this.#bar = drawPickerBar(surface, title, {
      use: () => this.#use(),
      cancel: () => this.#finish(ends.cancel),
      write: (locator) => this.#written(locator),
    })
    for (const name of KEPT) window.addEventListener(name, this.#kept, { capture: true, passive: false })
    window.addEventListener('pointermove', this.#moved, true)
    window.addEventListener('keydown', this.#key, true)
    window.addEventListener('keyup', this.#shift, true)
    window.addEventListener('scroll', this.#again, true)
    window.addEventListener('resize', this.#again)
    this.#timer = setInterval(this.#look, LOOK_MS)
    this.#cover()
  }

  remove(): void {
    clearInterval(this.#timer)
    this.#surface.coverFrames(false)
    window.removeEventListener('keyup', this.#shift, true)
    for (const name of KEPT) window.removeEventListener(name, this.#kept, true)
    window.removeEventListener('pointermove', this.#moved, true)
    window.removeEventListener('keydown', this.#key, true)
    window.removeEventListener('scroll', this.#again, true)
    window.removeEventListener('resize', this.#again)
  }

  readonly #moved = (event: PointerEvent) => {
    if (!event.isTrusted || this.#isHeld || event.shiftKey || this.#surface.isOwn(event)) return
    this.#point(this.#targetOf(event))
  }

  readonly #kept = (event: Event) => {
    if (!event.isTrusted || this.#surface.isOwn(event) || (event as MouseEvent).shiftKey) return
    event.stopImmediatePropagation()
    const isMenu = event.type === 'contextmenu'
    // A finger that stays down chooses as a tap does. The menu of a mouse is the browser's.
    const isChoice = isMenu ? (event as PointerEvent).pointerType === 'touch' : event.type === 'click'
    if (isChoice || !(isMenu || event.type.startsWith('touch') || event.type.startsWith('pointer')))
      event.preventDefault()
    if (!isChoice) return
    this.#isHeld = true
    this.#point(this.#targetOf(event), true)
  }

  readonly #key = (event: KeyboardEvent) => {
    this.#shift(event)
    const isOwn = this.#surface.isOwn(event)
    // A field and a list that scrolls need the arrow keys, a button needs Enter.
    const isUsed = isOwn && event.key !== 'Escape' && (event.key === 'Enter' || isFieldOrList(event.composedPath()[0]))
    if (!event.isTrusted || !KEYS.includes(event.key) || isUsed) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') this.#escape()
    else if (event.key === 'Enter') this.#use()
    else this.#step(event.key === 'ArrowUp')
  }

  readonly #again = () => {
    this.#cover()
    this.#refind()
    this.#draw()
  }

  readonly #look = () => {
    this.#cover()
    if (this.#refind()) this.#draw()
  }

  /** What was chosen, after the page has drawn it anew: what its locators find now. */
  #refind(): boolean {
    if (!this.#pointed || this.#pointed.isConnected) return false
    const unique = this.#candidates.filter(({ matches }) => matches === 1)
    const { element } = find(unique.map(({ locator }) => locator))
    if (element) this.#pointed = element
    return element !== null
  }

  readonly #shift = ({ shiftKey, isTrusted }: KeyboardEvent) => {
    if (!isTrusted || shiftKey === this.#isShift) return
    this.#isShift = shiftKey
    this.#cover()
  }

  #cover(): void {
    this.#surface.coverFrames(!this.#isShift)
  }

  /** Through open shadow roots. */
  #targetOf(event: Event): Element | null {
    const target = this.#surface.frameOf(event) ?? event.composedPath()[0]
    return target instanceof Element && target !== document.documentElement ? meantBy(target) : null
  }

  /** The first Escape lets the held element go, the second one ends the picker. */
  #escape(): void {
    if (!this.#isHeld) this.#finish(this.#ends.cancel)
    else this.#point(null, true)
    this.#isHeld = false
  }

  #step(isWider: boolean): void {
    this.#refind()
    const current = this.#pointed
    const next = current && (isWider ? wider(current) : (this.#narrower.at(-1) ?? current.firstElementChild))
    if (!current || !next) return
    const left = isWider ? [...this.#narrower, current] : this.#narrower.slice(0, -1)
    this.#isHeld = true
    this.#point(next, true)
    this.#narrower = left
  }

  #point(target: Element | null, isForced = false): void {
    if (target === this.#pointed && !isForced) return
    this.#pointed = target
    this.#narrower = []
    this.#candidates = target ? candidatesOf(target, this.#inference) : []
    this.#draw()
  }

  /** A locator that the member wrote comes first, when it finds one element. */
  #written(locator: string): void {
    const found = matchesOf(locator, MOST_MATCHES)
    const [only] = found
    this.#isHeld = true
    const own = { locator, matches: found.length, ...stabilityOf(locator) }
    if (only && found.length === 1) this.#pointed = only
    const others = this.#pointed ? candidatesOf(this.#pointed, this.#inference) : []
    this.#candidates = [own, ...others.filter((one) => one.locator !== locator)]
    this.#draw(locator)
  }

  #draw(written?: string): void {
    const target = this.#pointed
    const offered = target ? offeredOf(this.#candidates, target) : []
    const shown = written ?? offered[0]?.locator ?? this.#candidates[0]?.locator ?? ''
    const others = shown === '' ? [] : matchesOf(shown, MOST_MATCHES).filter((one) => one !== target)
    this.#surface.outline(target, target ? shortName(target) : '', others)
    this.#bar.show({
      target,
      candidates: this.#candidates,
      shown,
      offered: offered.length,
      isHeld: this.#isHeld,
      note: target && frameSentence(target),
    })
  }

  #use(): void {
    this.#refind()
    const target = this.#pointed
    const offered = target ? offeredOf(this.#candidates, target) : []
    if (offered.length > 0) this.#finish(() => this.#ends.use(offered.slice(0, 10)))
  }

  #finish(then: () => void): void {
    this.remove()
    then()
  }
}

function isFieldOrList(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLInputElement || (target instanceof HTMLElement && target.getAttribute('role') === 'group')
  )
}
