import { Link } from '@tanstack/react-router'
import { useContent, useDraft } from '../content/use-draft.ts'
import { buttonClass } from '../parts/button.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { placeOf } from './places.ts'

/** Leads to where a problem is, or what is good to know. */
export function PlaceLink({ param, isNote = false }: { param: string; isNote?: boolean }) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const { document } = useDraft()
  const { tab, step, task } = placeOf(document, param)
  const key = step ?? task
  const params = { environment, contentId: detail.id }
  // The contrast is that of the theme, which is not part of the content. A theme that there is not is a choice of the content.
  if (isNote && param === 'theme')
    return (
      <Link className={buttonClass('plain', true)} to="/$environment/themes" params={{ environment }}>
        Go to Themes
      </Link>
    )
  // So many contents are published, and one of them has to go.
  if (param === '')
    return (
      <Link className={buttonClass('plain', true)} to="/$environment/content" params={{ environment }}>
        Go to Content
      </Link>
    )
  if (tab === 'who')
    return (
      <Link className={buttonClass('plain', true)} to="/$environment/content/$contentId/who" params={params}>
        {param === 'theme' ? 'Choose another' : 'Go to Who'}
      </Link>
    )
  return (
    <Link
      className={buttonClass('plain', true)}
      to="/$environment/content/$contentId/steps"
      params={params}
      search={key === undefined ? {} : { step: key }}
    >
      Go there
    </Link>
  )
}
