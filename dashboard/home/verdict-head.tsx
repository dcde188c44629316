import { Link } from '@tanstack/react-router'
import type { Range } from '../../contract/dashboard/home.ts'
import { THIN_SPACE } from '../format/number.ts'
import { Segments } from '../parts/segments.tsx'
import { VerdictIcon } from '../parts/verdict-icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { type HomeData, RANGES } from './queries.ts'
import { verdictWords } from './verdict.ts'

type Props = { verdict: HomeData['verdict']; range: Range; onRange: (range: Range) => void }

const shown = (range: Range) => range.replace(/(\d+)/, `$1${THIN_SPACE}`)

export function VerdictHead({ verdict, range, onRange }: Props) {
  const words = verdictWords(verdict)
  return (
    <div className={`verdict ${verdict.level}`}>
      <VerdictIcon level={verdict.level} />
      <div>
        <h1 className="title">{words.title}</h1>
        <p className="sub">
          {words.sub} <Where verdict={verdict} to={words.to} />
        </p>
      </div>
      <div className="end">
        <Segments
          label="Range"
          options={RANGES.map((value) => ({ value, label: shown(value) }))}
          value={range}
          onChange={onRange}
        />
      </div>
    </div>
  )
}

function Where({ verdict, to }: { verdict: HomeData['verdict']; to: ReturnType<typeof verdictWords>['to'] }) {
  const { slug: environment } = useEnvironment()
  const params = { environment }
  if (to === 'endpoint' && verdict.endpoint_id) {
    return (
      <Link
        className="link"
        to="/$environment/webhooks/$endpointId"
        params={{ ...params, endpointId: verdict.endpoint_id }}
      >
        See why
      </Link>
    )
  }
  if (to === 'errors')
    return (
      <Link className="link" to="/$environment/live" params={params} search={{ view: 'errors' }}>
        See why
      </Link>
    )
  if (to === 'live')
    return (
      <Link className="link" to="/$environment/live" params={params}>
        Open Live
      </Link>
    )
  if (to === 'usage')
    return (
      <Link className="link" to="/$environment/usage" params={params}>
        Plan and usage
      </Link>
    )
  return to === 'system' ? (
    <Link className="link" to="/$environment/system" params={params}>
      See what to do
    </Link>
  ) : null
}
