import { Link } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Time } from '../parts/time.tsx'
import { VerdictIcon } from '../parts/verdict-icon.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { GuidanceMenu } from './guidance-menu.tsx'
import { listVerdict } from './list-verdict.ts'
import type { ContentList, Guidance } from './queries.ts'

type Props = { list: ContentList | undefined; onNew: () => void }

export function ListHead({ list, onNew }: Props) {
  const { slug: environment } = useEnvironment()
  const reason = useReason('createContent')
  const verdict = list && listVerdict(list)
  return (
    <div className={`verdict ${verdict?.level ?? 'ok'}`}>
      {verdict && <VerdictIcon level={verdict.level} />}
      <div className="min-w-0">
        <h1 className="title">{verdict?.title ?? 'Content'}</h1>
        <p className="sub">
          {verdict?.sub ?? 'What your users see: flows, checklists, banners and launchers.'}{' '}
          {verdict?.contentId && (
            <Link
              className="link"
              to="/$environment/content/$contentId/results"
              params={{ environment, contentId: verdict.contentId }}
            >
              See where
            </Link>
          )}
          {list?.guidance.is_off && <Switched guidance={list.guidance} />}
        </p>
      </div>
      <div className="end btns">
        {list && <GuidanceMenu guidance={list.guidance} />}
        <Button kind="primary" icon="plus" reason={reason} data-hotkey="n" onClick={onNew}>
          New content
        </Button>
      </div>
    </div>
  )
}

function Switched({ guidance: { switched_by, switched_at } }: { guidance: Guidance }) {
  if (!switched_at) return null
  return (
    <>
      {switched_by ?? 'Somebody'} turned it off <Time at={switched_at} as="activity" />.
    </>
  )
}
