import { type RefObject, useEffect, useRef } from 'react'

/** The row of each list that was used last, by the path of its page. */
const lastRows = new Map<string, string>()
/** The path that Back or Forward has led to, until its list is there. */
let returnedTo: string | undefined
/** The row that has got the focus after Back. */
let returnedFocus: Element | undefined

/** Called before the router is made: the router may draw the list as soon as it hears of Back itself. */
export function watchReturns(): void {
  addEventListener('popstate', () => {
    returnedTo = location.pathname
  })
}

export function rememberRow(key: string): void {
  lastRows.set(location.pathname, key)
}

/** The row may get the focus before the page counts as open: the page then leaves it there. */
export const hasReturnedFocus = (): boolean => returnedFocus !== undefined && document.activeElement === returnedFocus

/** After Back, the index of the row that was opened, once: the focus goes there and not to the top of the page. */
function returnedRow(keys: readonly string[]): number {
  const key = returnedTo === location.pathname ? lastRows.get(location.pathname) : undefined
  if (keys.length > 0) returnedTo = undefined
  return key === undefined ? -1 : keys.indexOf(key)
}

/** Focuses the row that was open when Back led here. `show` draws the row of an index, which may be far down. */
export function useReturnedRow(
  body: RefObject<HTMLElement | null>,
  keys: readonly string[],
  show: (index: number) => void,
): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || keys.length === 0) return
    isDone.current = true
    const index = returnedRow(keys)
    if (index < 0) return
    show(index)
    requestAnimationFrame(() => {
      const row = body.current?.querySelector(`tr[aria-rowindex="${index + 2}"] [data-row]`)
      if (!(row instanceof HTMLElement)) return
      row.focus()
      returnedFocus = row
    })
  }, [body, keys, show])
}
