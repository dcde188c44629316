import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FailedPart } from '../parts/blank.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { segmentsOfQuery } from './queries.ts'

type Props = { scope: 'user' | 'group'; id: string }

/** The segments that a user or a group is in, with why; then those that they are not in. */
export function SegmentsOf({ scope, id }: Props) {
  const { slug: environment } = useEnvironment()
  const { data, error, isFetching, refetch } = useQuery(segmentsOfQuery(environment, scope, id))
  if (!error && !data?.data.length) return null
  return (
    <section className="mt-28" aria-label="Segments">
      <h2 className="h2">Segments</h2>
      {error && !data && <FailedPart what="The segments" error={error} isAsking={isFetching} onRetry={refetch} />}
      <ul className="segments-of">
        {data?.data.map(({ key, name, is_in, sentence }) => (
          <li key={key}>
            <Icon name={is_in ? 'check' : 'x'} />
            <span className="sr">{is_in ? 'Is in' : 'Is not in'}</span>
            <Link to="/$environment/segments/$segmentId" params={{ environment, segmentId: key }} dir="auto">
              <b>{name}</b>
            </Link>
            <small className="t2" dir="auto">
              {sentence}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
