import { Link } from '@tanstack/react-router'
import { Absent } from '../parts/facts.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Theme } from './queries.ts'

const MOST = 3

/** What names the theme, and whether a change of it reaches users. */
export function UsedBy({ uses, isCell = false }: { uses: Theme['used_by']; isCell?: boolean }) {
  const { slug: environment } = useEnvironment()
  if (uses.length === 0) return isCell ? <Absent /> : 'Nothing uses it yet. Content gets it on its page Who and when.'
  const live = uses.filter(({ is_live }) => is_live).length
  return (
    <>
      {!isCell && 'Used by '}
      {uses.slice(0, MOST).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="link" to="/$environment/content/$contentId" params={{ environment, contentId: id }}>
            {name || 'Without a name'}
          </Link>
        </span>
      ))}
      {uses.length > MOST && ` and ${uses.length - MOST} more`}
      {live === 0 ? ', not live' : live === uses.length ? ', live' : `; ${live} live`}
      {!isCell && '.'}
    </>
  )
}
