import { useCallback, useEffect, useRef } from 'react'

const REST_MS = 250
const ROW_HEIGHT = 40

type Pages = { pages: { data: unknown[] }[]; pageParams: unknown[] }

/**
 * Reports the position of the first visible page when scrolling stops; an empty text is the first page. The returned function
 * forgets what is not reported yet: the list is about to begin elsewhere.
 */
export function useRestingPosition(data: Pages | undefined, start: string, onRest: (from: string) => void): () => void {
  const latest = useRef({ data, onRest })
  latest.current = { data, onRest }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const forget = useCallback(() => clearTimeout(timer.current), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that begins elsewhere has reported nothing yet
  useEffect(() => {
    let reported = ''
    function rest() {
      const { data: pages, onRest: report } = latest.current
      const position = pages ? positionAt(pages, scrollY) : ''
      if (position === reported) return
      reported = position
      report(position)
    }
    function scroll() {
      clearTimeout(timer.current)
      timer.current = setTimeout(rest, REST_MS)
    }
    addEventListener('scroll', scroll, { passive: true })
    return () => {
      forget()
      removeEventListener('scroll', scroll)
    }
  }, [start, forget])
  return forget
}

function positionAt({ pages, pageParams }: Pages, scrolled: number): string {
  let left = Math.floor(scrolled / ROW_HEIGHT)
  for (const [index, page] of pages.entries()) {
    if (left < page.data.length) return String(pageParams[index] ?? '')
    left -= page.data.length
  }
  return String(pageParams.at(-1) ?? '')
}
