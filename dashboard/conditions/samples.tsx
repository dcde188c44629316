import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { Avatar } from '../parts/avatar.tsx'
import { FailedPart } from '../parts/blank.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Segments } from '../parts/segments.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { type Samples as Found, type Scope, samplesQuery } from './queries.ts'

type Props = { asked: Condition | undefined; scope: Scope }

/** Some who match, and some whom one line keeps out, with the values that decide. */
export function Samples({ asked, scope }: Props) {
  const { slug } = useEnvironment()
  const [shown, setShown] = useState<'matches' | 'misses'>('matches')
  const query = useQuery(samplesQuery(slug, asked, scope))
  if (asked === undefined) return null
  return (
    <div>
      <div className="sec">
        <Segments
          label="Examples"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'matches', label: 'Match' },
            { value: 'misses', label: 'Miss by one line' },
          ]}
        />
        <span className="end">
          <IconButton icon="retry" label="Other examples" onClick={() => void query.refetch()} />
        </span>
      </div>
      {query.error ? (
        <FailedPart what="The examples" error={query.error} isAsking={query.isFetching} onRetry={query.refetch} />
      ) : (
        <People people={query.data?.[shown]} scope={scope} none={NONE[shown]} />
      )}
    </div>
  )
}

const NONE = {
  matches: 'Nobody here matches. The lines above say which of them keeps everybody out.',
  misses: 'Nobody misses it by one line.',
}

function People({ people, scope, none }: { people: Found['matches'] | undefined; scope: Scope; none: string }) {
  const { slug: environment } = useEnvironment()
  if (!people) return <p className="t3 s12">…</p>
  if (people.length === 0) return <p className="t2">{none}</p>
  return (
    <ul className="ppl">
      {people.map(({ id, name, sentence }) => (
        <li key={id}>
          <Avatar name={name ?? id} />
          <div className="min-w-0">
            {scope === 'user' ? (
              <Link to="/$environment/users/$userId" params={{ environment, userId: id }} dir="auto">
                <b>{name ?? id}</b>
              </Link>
            ) : (
              <Link to="/$environment/groups/$groupId" params={{ environment, groupId: id }} dir="auto">
                <b>{name ?? id}</b>
              </Link>
            )}
            <small dir="auto">{sentence}</small>
          </div>
        </li>
      ))}
    </ul>
  )
}
