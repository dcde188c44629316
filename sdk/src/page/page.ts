import type { Outcome } from '../../../contract/conditions/condition.ts'
import type { RenderedCondition } from '../../../contract/content/rendered.ts'
import type { PageInfo } from '../../../contract/sdk/protocol.ts'
import { outcomeInPage, type PageView } from './conditions.ts'
import { find, forgetFound } from './find.ts'
import { type PageWatch, type WatchEvents, watchPage } from './watch.ts'

/** What the page's own code has told us about it. */
export interface PageRules {
  urlFilter: ((url: string) => string) | null
  inputSelector: string | null
  inputs: { selector: string; read: ((element: Element) => string) | undefined }[]
}

/** The page that carries the script: its address, its elements, what was clicked. */
export class Page implements PageView {
  readonly find = find
  readonly #rules: PageRules
  readonly #watch: PageWatch
  /** Locators that the conditions of a content have asked about, and those of them that were clicked. */
  readonly #asked = new Map<string, { locators: readonly string[]; wasClicked: boolean }>()
  #asking = ''

  constructor(rules: PageRules, on: WatchEvents) {
    this.#rules = rules
    this.#watch = watchPage({
      ...on,
      acted: (event) => {
        if (event.type === 'click') this.#clicked(event)
        on.acted(event)
      },
    })
  }

  url(): string {
    try {
      return this.#rules.urlFilter ? String(this.#rules.urlFilter(location.href)) : location.href
    } catch {
      // A filter that fails must not let through what it was to hide.
      return location.origin
    }
  }

  /** Where a report is made: without query and fragment. */
  info = (): PageInfo => {
    const { innerWidth: viewport_width, innerHeight: viewport_height } = window
    const [url = ''] = this.url().split(/[?#]/, 1)
    return { url: url.slice(0, 2_000), viewport_width, viewport_height, locale: navigator.language }
  }

  /** `contentId`: whose condition it is. */
  holds = (condition: RenderedCondition, contentId: string, outcomes: readonly Outcome[] = []): boolean => {
    this.#asking = contentId
    return outcomeInPage(condition, outcomes, this) === true
  }

  wasClicked(locators: readonly string[]): boolean {
    const key = this.#asking + locators.join('\n')
    const entry = this.#asked.get(key) ?? { locators, wasClicked: false }
    this.#asked.set(key, entry)
    return entry.wasClicked
  }

  /** The clicks that a content knows; all without one. Those of the next session of it count from when that begins. */
  forgetClicks(contentId = ''): void {
    // All ids of contents have the same length.
    for (const key of this.#asked.keys()) if (key.startsWith(contentId)) this.#asked.delete(key)
  }

  /** Functions of the page that fail read nothing. */
  valueOf(input: Element): string {
    try {
      return this.#read(input)
    } catch {
      return ''
    }
  }

  #read(input: Element): string {
    const own = this.#rules.inputs.find(({ selector }) => matches(input, selector))
    if (own) return own.read ? String(own.read(input) ?? '') : (input.textContent ?? '')
    if (this.#rules.inputSelector && matches(input, this.#rules.inputSelector)) return input.textContent ?? ''
    if (input instanceof HTMLInputElement && (input.type === 'checkbox' || input.type === 'radio'))
      return input.checked ? 'on' : ''
    if ('value' in input) return String(input.value ?? '')
    return (input as HTMLElement).isContentEditable ? (input.textContent ?? '') : ''
  }

  observe(isNeeded: boolean): void {
    if (!isNeeded) forgetFound()
    this.#watch.observe(isNeeded)
  }

  poke(): void {
    this.#watch.poke()
  }

  listen(): void {
    this.#watch.listen()
  }

  #clicked(event: Event): void {
    const path = event.composedPath()
    for (const entry of this.#asked.values()) {
      const { element } = entry.wasClicked ? { element: null } : find(entry.locators)
      if (element && path.includes(element)) entry.wasClicked = true
    }
  }
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector)
  } catch {
    return false
  }
}
