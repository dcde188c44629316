import { defaultTheme } from '../../../contract/content/theme.ts'
import { drawing, element } from '../widgets/element.ts'
import { Layer } from '../widgets/layer.ts'
import { FRAMES } from './ancestors.ts'
import { editStyles } from './styles.ts'

/** How far outside of an element its outline is, in CSS pixels. */
const OUTSIDE = 3
const MOST_OTHERS = 50

/** Where edit mode draws: above the page, with a bar, outlines and a label. */
export class Surface {
  readonly bar = element('div', { class: 'bar', role: 'dialog', 'aria-label': 'Usher' })
  readonly #layer: Layer
  readonly #marks = drawing('svg', { class: 'marks', 'aria-hidden': 'true' })
  readonly #shields = drawing('svg', { class: 'marks', 'aria-hidden': 'true' })
  readonly #frames = new Map<EventTarget, Element>()
  readonly #name = element('div', { class: 'name', hidden: true })
  #dialog: Element | null = null
  readonly #timer: ReturnType<typeof setInterval>

  constructor(baseZIndex: number) {
    this.#layer = new Layer(defaultTheme, [editStyles], baseZIndex)
    this.#layer.root.append(this.#shields, this.#marks, this.#name, this.bar)
    this.#settle()
    // The page may open a modal dialog, or replace its body.
    this.#timer = setInterval(() => this.#settle(), 500)
  }

  isOwn(event: Event): boolean {
    return !this.frameOf(event) && event.composedPath().includes(this.#layer.host)
  }

  /** Covers the frames of the page: what is done in one reaches neither us nor the page, so a click would go through. */
  coverFrames(isOn: boolean): void {
    const frames = isOn ? [...document.querySelectorAll(FRAMES)] : []
    const covers = frames.map((frame) => rectOf(frame, 'frame'))
    // A cover that stays where it is stays the same one: it may be between a press and its click.
    if (covers.map(({ outerHTML }) => outerHTML).join('') === this.#shields.innerHTML) return
    this.#frames.clear()
    for (const cover of covers) this.#frames.set(cover, frames[covers.indexOf(cover)] as Element)
    this.#shields.replaceChildren(...covers)
  }

  /** The frame whose cover was pointed at. */
  frameOf(event: Event): Element | undefined {
    return this.#frames.get(event.composedPath()[0] as EventTarget)
  }

  /** Goes into a dialog of a preview, or back to the page. */
  enter(dialog: Element | null): void {
    this.#dialog = dialog
    this.#settle()
  }

  #settle(): void {
    const { host } = this.#layer
    if (!this.#dialog?.isConnected) {
      this.#layer.settle()
      return
    }
    if (host.parentNode !== this.#dialog) this.#dialog.append(host)
    if (host.hasAttribute('popover') && !host.matches(':popover-open')) host.showPopover()
  }

  fill(...rows: (Node | null)[]): void {
    this.bar.replaceChildren(...rows.filter((row) => row !== null))
  }

  /** Outlines an element, and dashed the others that its locator finds. The bar goes where it does not cover the element. */
  outline(on: Element | null, name: string, others: readonly Element[] = []): void {
    const rects = others.slice(0, MOST_OTHERS).map((other) => rectOf(other, ''))
    this.#marks.replaceChildren(...rects, ...(on ? [rectOf(on, 'on')] : []))
    this.#name.hidden = !on
    if (!on) return
    const box = on.getBoundingClientRect()
    const size = element('em', {}, `${Math.round(box.width)} × ${Math.round(box.height)}`)
    this.#name.replaceChildren(name, size)
    const above = box.top - OUTSIDE - 28
    this.#layer.set('--lx', `${Math.max(4, box.left - OUTSIDE)}px`)
    this.#layer.set('--ly', `${above < 2 ? box.bottom + OUTSIDE + 6 : above}px`)
    const height = this.bar.offsetHeight + 28
    const isUnder = box.bottom > innerHeight - height
    this.bar.classList.toggle('up', isUnder && box.top > height)
  }

  remove(): void {
    clearInterval(this.#timer)
    this.#layer.remove()
  }
}

function rectOf(target: Element, className: string): SVGElement {
  const { left, top, width, height } = target.getBoundingClientRect()
  return drawing('rect', {
    class: className,
    x: String(left - OUTSIDE),
    y: String(top - OUTSIDE),
    width: String(width + 2 * OUTSIDE),
    height: String(height + 2 * OUTSIDE),
  })
}
