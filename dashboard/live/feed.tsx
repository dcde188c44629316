import { useEffect, useMemo, useRef, useState } from 'react'
import { count } from '../format/number.ts'
import { clock } from '../format/time.ts'
import { announce } from '../parts/announce.tsx'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { Loading, SkeletonRows } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { FirstStepsLink } from '../start/first-steps-link.tsx'
import { FeedTable } from './feed-table.tsx'
import { FeedTools } from './feed-tools.tsx'
import { type LiveSearch, matches } from './live-search.ts'
import { NewRowsStrip } from './new-rows-strip.tsx'
import { type LiveState, useLive } from './stream.ts'
import { usePaused } from './use-paused.ts'

type Props = { search: LiveSearch; onSearch: (search: LiveSearch, replace?: boolean) => void }

/** Requests or events as they arrive. It pauses when the user scrolls, focuses a row or opens one. */
export function Feed({ search, onSearch }: Props) {
  const { slug } = useEnvironment()
  const live = useLive(slug)
  const [reading, setReading] = useState(false)
  const matching = useMemo(() => live.rows.filter((row) => matches(row, search)), [live.rows, search])
  const { rows, paused, waiting, pause, resume } = usePaused(matching, reading || search.open !== undefined)
  useRateAnnouncement(live)
  const box = useRef<HTMLDivElement>(null)
  function goOn() {
    setReading(false)
    resume()
    box.current?.scrollTo({ top: 0 })
    if (search.open) onSearch({ ...search, open: undefined })
  }
  return (
    <div className="live-l">
      <div className="live-tools">
        <FeedTools search={search} onSearch={onSearch} rows={live.rows}>
          <Button icon={paused ? 'play' : 'pause'} data-hotkey="p" onClick={paused ? goOn : pause}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </FeedTools>
        <p className="note">{sentence(live, paused)}</p>
      </div>
      {paused && waiting > 0 && <NewRowsStrip waiting={waiting} onShow={goOn} />}
      <div
        className="feed"
        ref={box}
        onScroll={(event) => event.currentTarget.scrollTop > 0 && setReading(true)}
        role="presentation"
        onFocus={(event) => (event.target as HTMLElement).matches('[data-row]') && setReading(true)}
      >
        {rows.length === 0 ? <NothingYet search={search} live={live} /> : <FeedTable rows={rows} search={search} />}
      </div>
    </div>
  )
}

function sentence({ connection, gapSince, rate }: LiveState, paused: boolean): string {
  if (connection === 'connecting') return 'Connecting to the feed…'
  if (connection === 'lost')
    return `Reconnecting… the feed has a gap from ${clock(new Date(gapSince ?? 0), 'seconds')}.`
  const pace = `${rate < 10 ? rate.toFixed(1).replace(/\.0$/, '') : count(Math.round(rate))} requests per second arrive; the newest 500 are kept here.`
  return paused ? `Paused while you read. ${pace}` : pace
}

/** The table is no live region: a status announces the rate every 30 seconds. */
function useRateAnnouncement(live: LiveState): void {
  const latest = useRef(live)
  latest.current = live
  useEffect(() => {
    const timer = setInterval(() => announce(sentence(latest.current, false)), 30_000)
    return () => clearInterval(timer)
  }, [])
}

function NothingYet({ search, live }: { search: LiveSearch; live: LiveState }) {
  if (live.rows.length > 0 && (search.q || search.status || search.key)) {
    return (
      <Empty title="Nothing matches">
        None of the requests that are kept here matches. New ones that do appear by themselves.
      </Empty>
    )
  }
  if (live.connection === 'lost') {
    return (
      <Empty title="The feed is not connected">
        The dashboard connects again by itself, and then shows the newest requests.
      </Empty>
    )
  }
  if (live.connection === 'connecting') {
    return (
      <Loading label="the newest requests">
        <SkeletonRows />
      </Loading>
    )
  }
  if (search.view === 'events') {
    return (
      <Empty title="No events right now" action={<FirstStepsLink />}>
        Events appear here the moment they are tracked. They are looked for among the newest 500 requests.
      </Empty>
    )
  }
  return (
    <Empty title="Nothing arrives right now" action={<FirstStepsLink />}>
      Requests appear here the moment they reach the server. The newest ones of all nodes are kept.
    </Empty>
  )
}
