import { Link } from '@tanstack/react-router'
import { count, counted, percent } from '../format/number.ts'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { HomeData } from './queries.ts'

type Notice = NonNullable<HomeData['guidance']>

/** One line when something about content needs a person. */
export function GuidanceLine({ notice }: { notice: Notice | null }) {
  const { slug: environment } = useEnvironment()
  if (!notice) return null
  return (
    <p className="home-line">
      <Icon name="alert" />
      <span>
        {words(notice)}{' '}
        {notice.content_id ? (
          <Link
            className="link"
            to={
              notice.kind === 'nobody_matches'
                ? '/$environment/content/$contentId/who'
                : '/$environment/content/$contentId/results'
            }
            params={{ environment, contentId: notice.content_id }}
          >
            {notice.kind === 'nobody_matches' ? 'Look at its rule' : 'See since when'}
          </Link>
        ) : (
          <Link className="link" to="/$environment/settings/install" params={{ environment }}>
            Install
          </Link>
        )}
      </span>
    </p>
  )
}

function words({ kind, content_name: name, step, count: of, share }: Notice): string {
  switch (kind) {
    case 'unsigned':
      return `${counted(of ?? 0, 'identification was', 'identifications were')} refused since yesterday: without a good signature.`
    case 'target_missing':
      return `${name} does not find ${step ? `the element of step ${step}` : 'its element'} in ${percent(share ?? 0, 1)} of its tries: ${count(of ?? 0)} since yesterday.`
    case 'nobody_matches':
      return (of ?? 1) > 1
        ? `Nobody matches the rule of ${name}, nor those of ${counted((of ?? 1) - 1, 'other content', 'other contents')}.`
        : `Nobody matches the rule of ${name}.`
  }
}
