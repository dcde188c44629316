import { Link } from '@tanstack/react-router'
import { useEnvironment } from '../session/use-session.ts'
import { useContent, useDraft } from './use-draft.ts'

/** The tabs: 1 to 4 lead to them. */
export function ContentTabs() {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { document } = useDraft()
  const params = { environment, contentId: detail.id }
  const first =
    document.type === 'flow'
      ? { label: 'Steps', count: document.steps.length }
      : document.type === 'checklist'
        ? { label: 'Tasks', count: document.tasks.length }
        : { label: 'Design', count: undefined }
  const look = {
    activeProps: { className: 'on', 'aria-current': 'page' as const },
    activeOptions: { includeSearch: false },
  }
  return (
    <nav className="ctabs" aria-label="Pages of this content">
      <Link to="/$environment/content/$contentId/steps" params={params} data-hotkey="1" {...look}>
        {first.label} {first.count !== undefined && <span className="c">{first.count}</span>}
      </Link>
      <Link to="/$environment/content/$contentId/who" params={params} data-hotkey="2" {...look}>
        Who and when
      </Link>
      <Link to="/$environment/content/$contentId/results" params={params} data-hotkey="3" {...look}>
        Results
      </Link>
      <Link to="/$environment/content/$contentId/versions" params={params} data-hotkey="4" {...look}>
        Versions <span className="c">{detail.versions}</span>
      </Link>
    </nav>
  )
}
