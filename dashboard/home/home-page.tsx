import { useQuery } from '@tanstack/react-query'
import type { Range } from '../../contract/dashboard/home.ts'
import { Bone } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { FirstSteps } from '../start/first-steps.tsx'
import { HomeBody } from './home-body.tsx'
import { homeQuery } from './queries.ts'

type Props = { range: Range; setUp: boolean; onRange: (range: Range) => void }

/** Before the first event it leads through the first integration; later that stays under "Set up". */
export function HomePage({ range, setUp, onRange }: Props) {
  const { slug } = useEnvironment()
  const query = useQuery(homeQuery(slug, range))
  return (
    <>
      <Bar current="Home" end={query.data?.has_events && <LiveMark stale={query.isError} />} />
      <div className="page">
        {query.data === undefined && <h1 className="sr">Home</h1>}
        <Loaded query={query} what="Home" skeleton={<HomeSkeleton />}>
          {(home) =>
            home.has_events && !setUp ? (
              <HomeBody home={home} range={range} onRange={onRange} />
            ) : (
              <FirstSteps home={home} />
            )
          }
        </Loaded>
      </div>
    </>
  )
}

function LiveMark({ stale }: { stale: boolean }) {
  if (stale) {
    return (
      <State tone="warn" shape="half">
        Reconnecting…
      </State>
    )
  }
  return (
    <span className="state ok">
      <span className="live-dot" aria-hidden="true" />
      <span className="t2">Live</span>
    </span>
  )
}

const HomeSkeleton = () => (
  <>
    <Bone width={420} height={20} />
    <div className="home-bones">
      <Bone width="100%" height={92} />
      <Bone width="100%" height={260} />
      <Bone width="100%" height={220} />
    </div>
  </>
)
