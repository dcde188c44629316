import type { Action } from '../../../contract/content/document.ts'
import type { Visitor } from '../identity/visitor.ts'
import { safeAddress } from '../widgets/address.ts'
import type { Session } from './session.ts'

/** What actions do beside leading through a flow. There is none that runs code. */
export class Actions {
  navigate: ((url: string) => void) | null = null
  decorate: ((url: string) => string) | null = null
  readonly #visitor: () => Visitor | null
  readonly #start: (content: string, session: string) => void

  constructor(parts: { visitor: () => Visitor | null; start: (content: string, session: string) => void }) {
    this.#visitor = parts.visitor
    this.#start = parts.start
  }

  readonly perform = (actions: readonly Action[], session: Session): void => {
    for (const action of actions) {
      if ('set' in action) void this.#visitor()?.update({ [action.set]: action.value })
      else if ('track' in action) void this.#visitor()?.track(action.track, action.attributes ?? {}, false)
      else if ('start' in action) this.#start(action.start, session.id)
      else if ('open' in action) this.#open(action.open, action.in === 'new', session)
    }
  }

  /** The address of a link, decorated as the page wants it, or null when it may not be opened. */
  readonly link = (href: string): string | null => {
    const address = safeAddress(href, location.href)
    if (address === null || !this.decorate) return address
    try {
      return safeAddress(String(this.decorate(address)), location.href)
    } catch {
      return address
    }
  }

  /** By the page's own navigation, if it has one: a router knows the addresses of its application alone. */
  readonly follow = (href: string): boolean => {
    if (!this.navigate || !href.startsWith(`${location.origin}/`)) return false
    try {
      this.navigate(href)
      return true
    } catch {
      return false
    }
  }

  #open(address: string, isNew: boolean, session: Session): void {
    const href = this.link(address)
    if (href === null) return
    if (isNew) return void window.open(href, '_blank', 'noopener')
    // The reports of the actions beside this one come first.
    void Promise.resolve()
      .then(() => session.told())
      .then(() => this.follow(href) || location.assign(href))
  }
}
