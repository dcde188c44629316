import type { ThemeDocument } from '../../../contract/content/theme.ts'
import { rootsOfPage } from '../page/find.ts'
import { element } from './element.ts'
import { ownRule, type SetVariable, sheet } from './sheets.ts'
import { baseStyles } from './styles.ts'
import { isDark, themeRules } from './theme.ts'

/** Puts a host element into the flow of the page. */
export type Put = (host: HTMLElement) => void

const EVENTS =
  'keydown keyup keypress beforeinput input copy cut paste pointerdown mousedown click dblclick touchstart focusin focusout'.split(
    ' ',
  )

/** The element in the page that holds one widget, with an open shadow root. */
export class Layer {
  readonly host: HTMLElement
  readonly root: ShadowRoot
  /** Of a rule of its own, so that no element gets a style attribute. */
  readonly set: SetVariable
  readonly #put: Put | undefined
  readonly #theme: ThemeDocument

  /** Above everything, in the top layer where the browser has one, else by z-index; unless `put` puts it elsewhere. */
  constructor(theme: ThemeDocument, styles: readonly string[], baseZIndex: number, put?: Put) {
    this.#put = put
    this.#theme = theme
    const hasPopover = !put && 'popover' in HTMLElement.prototype
    this.host = element('div', { 'data-usher-widget': true, popover: hasPopover ? 'manual' : null })
    if (!put) this.host.classList.add('layer')
    this.root = this.host.attachShadow({ mode: 'open' })
    const own = ownRule()
    this.set = own.set
    this.root.adoptedStyleSheets = [sheet(baseStyles), ...styles.map(sheet), sheet(themeRules(theme)), own.sheet]
    this.set('--z', String(baseZIndex))
    // Shortcuts and outside-click handlers of the page do not react to what is done in a widget.
    for (const name of EVENTS) this.host.addEventListener(name, (event) => event.stopPropagation())
  }

  /** Into the page, above all, and with the colours of now. Does nothing where that is so already. It points at `target`. */
  settle(target: Element | null = null): void {
    const parent = this.#put ? document.body : topmost(target)
    if (!parent) return
    if (this.#put) this.#put(this.host)
    else if (this.host.parentNode !== parent) parent.append(this.host)
    // Places are measured in pixels of the screen.
    this.set('--zoom', String(1 / (parent.currentCSSZoom ?? 1)))
    if (this.host.hasAttribute('popover') && !this.host.matches(':popover-open')) this.host.showPopover()
    // Libraries that open a dialog without the element of that name hide everything beside it so.
    for (const name of ['inert', 'aria-hidden']) this.host.removeAttribute(name)
    this.#reflect('dir', getComputedStyle(document.documentElement).direction)
    this.#reflect('data-mode', isDark(this.#theme.mode) ? 'dark' : 'light')
  }

  remove(): void {
    // A library of old pages has a `remove` that fails without a parent.
    this.host.parentNode?.removeChild(this.host)
  }

  #reflect(name: string, value: string): void {
    if (this.host.getAttribute(name) !== value) this.host.setAttribute(name, value)
  }
}

/**
 * A modal dialog of the page, also one in an open shadow root, makes everything outside of it inert: then what we show goes into
 * it. Of several, the one that was opened last has the focus. What is beside an element that covers the screen is inert, too, and
 * a popover closes at a click outside of it: then it goes into the one that has its target.
 */
function topmost(target: Element | null): Element | null {
  const modals = rootsOfPage().flatMap((root) => [...root.querySelectorAll('dialog:modal')])
  const parent = modals.filter((one) => one.matches(':focus-within')).at(-1) ?? modals.at(-1) ?? document.body
  let around: Element | null = null
  // Also out of shadow roots.
  for (let one: Node | null = target; one; one = one.parentNode ?? (one as ShadowRoot).host) {
    if (one === parent) return around ?? parent
    if ((one as Element).matches?.('[popover],:fullscreen:not(:root)')) around ??= one as Element
  }
  return parent
}
