import { useEffect, useRef } from 'react'
import { count } from '../format/number.ts'
import { Button } from './button.tsx'

/** The used part of an infinite query. */
interface EndlessList {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => unknown
}

type Props = {
  shown: number
  list: EndlessList
  /** The next rows need a long search: they are loaded only on request. */
  byHand?: boolean
}

const AHEAD = '600px'

/** The end of an endless list: loads 50 more before it is reached. After an error nothing loops. */
export function ListEnd({ shown, list, byHand }: Props) {
  const { hasNextPage: hasMore, isFetchingNextPage: loading } = list
  const error = list.isFetchNextPageError ? list.error : null
  const onMore = () => void list.fetchNextPage()
  const mark = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  const waiting = hasMore && !loading && !error && !byHand
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown changes when rows came and the mark is looked for again
  useEffect(() => {
    if (!waiting || !mark.current) return
    // A busy browser delivers several entries at once: the mark was below the window when it was first looked at, and was
    // scrolled into it since. The last one says how it is now; after the first alone nothing would ever be loaded.
    const look = (entries: IntersectionObserverEntry[]) => entries.at(-1)?.isIntersecting && more.current()
    const watch = new IntersectionObserver(look, { rootMargin: AHEAD })
    watch.observe(mark.current)
    return () => watch.disconnect()
  }, [waiting, shown])
  return (
    <div className="t-end" ref={mark}>
      <span role="status">{text(shown, hasMore && !(byHand && !loading), error, hasMore)}</span>
      {(error || (byHand && hasMore)) && (
        <Button small onClick={onMore} busy={loading && 'Looking…'}>
          {error ? 'Try again' : 'Look at more'}
        </Button>
      )}
    </div>
  )
}

function text(shown: number, loading: boolean, error: Error | null, hasMore: boolean): string {
  if (error) return `${count(shown)} shown. The next rows could not be loaded: ${error.message}`
  if (loading) return `${count(shown)} shown. Loading 50 more…`
  if (hasMore) return `${count(shown)} shown.`
  return `That is all: ${count(shown)}.`
}
