import { safely } from '../safely.ts'

/**
 * Tells when the page may have changed: it navigated, its elements changed, something was clicked or typed, its size changed.
 * Elements are observed only while somebody waits for one. Calls come at most every 100 ms, and never two at a time.
 */
const PAUSE_MS = 100
/** A check that took long is followed by a longer pause, so that all checks take at most a tenth of the time. */
const SHARE = 10

export interface PageWatch {
  /** Starts or stops the observation of elements. */
  observe(isNeeded: boolean): void
  /** Asks for a call soon. */
  poke(): void
  /** Listens again after the page has replaced its document. */
  listen(): void
}

export interface WatchEvents {
  /** The page may have changed. */
  changed(): void
  /** Elements have changed, this very moment. */
  glanced(): void
  /** Something was clicked or typed. */
  acted(event: Event): void
}

export function watchPage({ changed, glanced, acted }: WatchEvents): PageWatch {
  let isAsked = false
  let pause = PAUSE_MS
  let address = location.href
  let isObserving = false
  const run = () => {
    isAsked = false
    const begun = performance.now()
    changed()
    pause = Math.max(PAUSE_MS, (performance.now() - begun) * SHARE)
  }
  const poke = () => {
    if (isAsked) return
    isAsked = true
    setTimeout(run, pause)
  }
  const navigated = () => {
    if (address === location.href) return
    address = location.href
    poke()
  }
  // The page has changed its address when the event of the click or the microtask after `pushState` is over.
  const maybeNavigated = () => void setTimeout(navigated)
  const onAct = safely((event: Event) => {
    poke()
    maybeNavigated()
    acted(event)
  })
  const observer = new MutationObserver(() => {
    poke()
    glanced()
  })
  const events: [EventTarget, string, (event: Event) => void][] = [
    [window, 'popstate', maybeNavigated],
    [window, 'hashchange', maybeNavigated],
    [window, 'pageshow', poke],
    [window, 'resize', poke],
    [document, 'click', onAct],
    [document, 'input', onAct],
    [document, 'change', poke],
    [document, 'visibilitychange', poke],
  ]
  const navigation = (window as { navigation?: EventTarget }).navigation
  if (navigation) events.push([navigation, 'currententrychange', maybeNavigated])
  const listen = () => {
    for (const [target, name, listener] of events)
      target.addEventListener(name, listener, { capture: true, passive: true })
  }
  listen()
  if (!navigation) patchHistory(maybeNavigated)
  return {
    listen,
    poke,
    observe: (isNeeded) => {
      if (isNeeded === isObserving) return
      isObserving = isNeeded
      if (isNeeded)
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      else observer.disconnect()
    },
  }
}

/** For browsers without the Navigation API. A page with a frozen `history` is followed by clicks and `popstate` alone. */
function patchHistory(navigated: () => void): void {
  try {
    for (const name of ['pushState', 'replaceState'] as const) {
      const own = history[name]
      history[name] = function (...words) {
        own.apply(this, words)
        navigated()
      }
    }
  } catch {
    // It is frozen.
  }
}
