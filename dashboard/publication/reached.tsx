import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Condition } from '../../contract/conditions/condition.ts'
import { countQuery } from '../conditions/queries.ts'
import { useContent, useDraft } from '../content/use-draft.ts'
import { count } from '../format/number.ts'
import { Avatar } from '../parts/avatar.tsx'
import { toldWords } from '../receipts/gates.ts'
import { useEnvironment } from '../session/use-session.ts'
import type { Plan } from './queries.ts'
import { gainedBy, type Who } from './who-changes.ts'

/** `853 now, 1,284 after`. */
export function Totals() {
  const { detail } = useContent()
  const { document } = useDraft()
  return (
    <>
      <Total who={detail.published ? (detail.published.document.who ?? 'everybody') : 'nobody'} /> now,{' '}
      <Total who={document.who ?? 'everybody'} /> after
    </>
  )
}

function Total({ who }: { who: Who }) {
  const { slug } = useEnvironment()
  const { data, error } = useQuery(countQuery(slug, typeof who === 'string' ? undefined : who, 'user'))
  if (typeof who === 'string') return who
  if (error) return 'not counted'
  if (data?.exact && data.count === 0) return 'nobody'
  return data ? `${data.exact ? '' : 'about '}${count(data.count)}` : '…'
}

type Props = { kind: 'gains' | 'losses'; reached: Plan['gains'] }

/** How many match newly or no longer, two of them by name, and the list of all. */
export function Reached({ kind, reached }: Props) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { document } = useDraft()
  const before: Who = detail.published ? (detail.published.document.who ?? 'everybody') : 'nobody'
  const after: Who = document.who ?? 'everybody'
  const them = kind === 'gains' ? gainedBy(before, after) : gainedBy(after, before)
  const verb = reached.count === 1 ? 'matches' : 'match'
  const words = kind === 'gains' ? `newly ${verb}` : `no longer ${verb}`
  const sign = kind === 'gains' ? '+' : '−'
  const figure = `${reached.exact ? '' : 'about '}${reached.count === 0 ? '' : sign}${count(reached.count)}`
  return (
    <div>
      <p>
        <b className="reach">
          {reached.count > 0 && them !== 'nobody' ? (
            <Link
              to="/$environment/users"
              params={{ environment }}
              search={them === 'everybody' ? {} : { condition: JSON.stringify(them satisfies Condition) }}
              aria-label={`${figure} ${words}: show them`}
            >
              {figure}
            </Link>
          ) : (
            figure
          )}
        </b>{' '}
        <span className="t2">
          {words}
          {reached.samples.length > 0 && ', such as'}
        </span>
      </p>
      <ul className="reached">
        {reached.samples.slice(0, 2).map(({ user_id, name, sentence }) => (
          <li key={user_id}>
            <Avatar name={name ?? user_id} />
            <span className="min-w-0">
              <Link
                className="clip"
                to="/$environment/content/$contentId/receipts/$userId"
                params={{ environment, contentId: detail.id, userId: user_id }}
              >
                {name ?? user_id}
              </Link>
              <small className="t2">{toldWords(sentence)}</small>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
