import type { Layer } from './layer.ts'

/** Where Escape is for the page: where text is typed or something chosen, and in what the page has opened. */
const TAKES_ESCAPE =
  ':read-write,select,dialog,[popover],[role$=dialog],[role=menu],[role=listbox],[aria-haspopup][aria-expanded=true]'
/** It closes at Escape wherever the focus is. In `:is`, what an older browser does not know is not an error. */
const OPEN_POPOVER = '[popover]:not([popover=manual]):is(:popover-open)'

/**
 * The focus of a widget that is not modal. It stays on the page, unless the user's own action brought the widget up. F6 goes in
 * and out; Escape closes, unless it is for the page. One that is not to be seen hears nothing.
 */
export function followFocus(
  layer: Layer,
  widget: HTMLElement,
  options: { isExpected: boolean; escape: (() => void) | null },
): { end(): void } {
  let before: Element | null = null
  const isInside = () => layer.host.matches(':focus-within')
  const enter = () => {
    before = activeElement()
    widget.focus({ preventScroll: true })
  }
  const leave = () => {
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    // The body, where the focus is when it is nowhere, takes none.
    if (isInside()) layer.root.querySelector<HTMLElement>(':focus')?.blur()
  }
  const onKey = (event: KeyboardEvent) => {
    if (widget.matches('.away')) return
    if (event.key === 'F6' && !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (isInside()) leave()
      else enter()
    } else if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing && options.escape) {
      // It closes a modal dialog of the page that we are in, unless the focus is in ours.
      if (isInside()) event.preventDefault()
      else if (layer.host.parentNode !== document.body || isForPage(event)) return
      options.escape()
    }
  }
  document.addEventListener('keydown', onKey)
  // The host element stops what is pressed inside, so that the page does not react to it.
  widget.addEventListener('keydown', onKey)
  if (options.isExpected) enter()
  return {
    end: () => {
      document.removeEventListener('keydown', onKey)
      if (isInside()) leave()
    },
  }
}

function isForPage(event: Event): boolean {
  const takesEscape = (one: EventTarget) => one instanceof Element && one.matches(TAKES_ESCAPE)
  return document.querySelector(OPEN_POPOVER) !== null || event.composedPath().some(takesEscape)
}

/** Also in open shadow roots. */
function activeElement(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
