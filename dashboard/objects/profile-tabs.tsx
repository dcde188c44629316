import { Link } from '@tanstack/react-router'
import { useEnvironment } from '../session/use-session.ts'

/** A user has a page of attributes and events, and one of content. */
export function ProfileTabs({ userId }: { userId: string }) {
  const { slug: environment } = useEnvironment()
  const params = { environment, userId }
  const active = { activeOptions: { exact: true, includeSearch: false }, activeProps: { className: 'on' } }
  return (
    <nav className="ctabs" aria-label="Pages of this user">
      <Link to="/$environment/users/$userId" params={params} {...active}>
        Profile
      </Link>
      <Link to="/$environment/users/$userId/content" params={params} {...active}>
        Content
      </Link>
    </nav>
  )
}
