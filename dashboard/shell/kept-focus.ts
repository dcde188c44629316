import { type RefObject, useEffect } from 'react'

/** Where an element stands: itself and its ancestors, each with its place among its siblings. */
interface Place {
  element: HTMLElement
  path: string
  ancestors: { parent: Element; index: number }[]
}

const FOCUSABLE = ['a[href]', 'button:enabled:not(.danger)', ':is(input, select, textarea):enabled', '[tabindex="0"]']

/**
 * What has the focus may disappear: a revoked key loses its button, a deleted row is gone, and so is what opened a dialog. The
 * focus then goes to what is nearest to its place, so that keys and screen readers go on from there, not from the top.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const ended = new AbortController()
    let last: Place | undefined
    /** The last one that was not in a dialog or a menu. */
    let opener: Place | undefined
    let isDue = false

    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.matches('[data-base-ui-focus-guard]')) return
      last = placeOf(target)
      if (target.closest('#root')) opener = last
    }
    // Whoever clicks beside everything wants the focus nowhere.
    const onBlur = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (!isDue && last?.element === target && isNowhere() && last?.element.isConnected) last = undefined
      })
    const onChange = (records: MutationRecord[]) => {
      if (isDue || !last || !records.some((record) => takesAway(record, last?.element as HTMLElement))) return
      isDue = true
      // Whatever opened, moved or closed it may place the focus itself: React in an effect, a dialog a frame later.
      requestAnimationFrame(() => requestAnimationFrame(restore))
    }
    const restore = () => {
      isDue = false
      if (!last || !(isNowhere() || last.element.matches(':disabled'))) return
      const goal = [last, opener].map((place) => place && nearest(place)).find(Boolean) ?? main.current
      goal?.focus({ preventScroll: goal === main.current })
    }

    const changes = new MutationObserver(onChange)
    changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', onFocus, ended)
    document.addEventListener('focusout', onBlur, ended)
    return () => {
      changes.disconnect()
      ended.abort()
    }
  }, [main])
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body

/** It was removed, perhaps to be put somewhere else, or it cannot be used any more. */
function takesAway({ type, target, removedNodes }: MutationRecord, element: HTMLElement): boolean {
  if (type === 'attributes') return target === element && element.matches(':disabled')
  return [...removedNodes].some((node) => node.contains(element))
}

function placeOf(element: HTMLElement): Place {
  const ancestors: Place['ancestors'] = []
  for (let child: Element = element; child.parentElement; child = child.parentElement)
    ancestors.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  return { element, path: location.pathname, ancestors }
}

/** Undefined on another page, and where only what is around the page is left. */
function nearest({ element, path, ancestors }: Place): HTMLElement | undefined {
  if (path !== location.pathname) return undefined
  if (isUsable(element)) return element
  // One of many, beside its list: the row that it was opened from is the one that Tab leads to.
  const isBeside = ancestors.some(({ parent }) => !parent.isConnected && parent.matches('.drawer'))
  const row = isBeside && document.querySelector<HTMLElement>('main [data-row][tabindex="0"]')
  if (row) return row
  for (const { parent, index } of ancestors) {
    if (!parent.isConnected) continue
    if (!parent.closest('main, nav, [role=dialog]')) return undefined
    const siblings = [...parent.children]
    const found = [...siblings.slice(index), ...siblings.slice(0, index).reverse()].map(firstIn).find(Boolean)
    if (found) return found
  }
  return undefined
}

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && element.matches(FOCUSABLE.join()) && element.checkVisibility()

function firstIn(element: Element): HTMLElement | undefined {
  const all = [element, ...element.querySelectorAll(FOCUSABLE.join())]
  return all.find((each): each is HTMLElement => each instanceof HTMLElement && isUsable(each))
}
