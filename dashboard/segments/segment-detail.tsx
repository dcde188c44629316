import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Builder } from '../conditions/builder.tsx'
import { useCatalogue } from '../conditions/catalogue.ts'
import { Sentence } from '../conditions/sentence.tsx'
import { useCount } from '../conditions/use-count.ts'
import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { ChangedMeanwhile } from '../parts/changed-meanwhile.tsx'
import { atLeast, useEnvironment, useReason, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { crumbs } from './crumbs.ts'
import { Members } from './members.tsx'
import type { Segment } from './queries.ts'
import { SaveState } from './save-state.tsx'
import { SegmentActions } from './segment-actions.tsx'
import { SegmentsPage } from './segments-page.tsx'
import { useSavedCondition } from './use-saved-condition.ts'
import '../styles/studio.css'

export function SegmentDetail({ segment }: { segment: Segment }) {
  const { slug } = useEnvironment()
  const { member } = useSession()
  const needed = useReason('updateSegment')
  const reason = needed ?? (segment.is_live && !atLeast(member.role, 'admin') ? 'Needs the role admin' : undefined)
  const saved = useSavedCondition(segment)
  const [unfinished, setUnfinished] = useState(0)
  const catalogue = useCatalogue(slug, segment.key)
  const live = useCount(saved.condition, segment.scope)
  return (
    <>
      <Bar crumbs={crumbs(slug)} current={segment.name} end={<SaveState saved={saved} unfinished={unfinished} />} />
      <LeaveGuard when={saved.isAtRisk} isUnsaved={saved.isChanged} />
      <SegmentsPage>
        <div className="head">
          <div className="min-w-0">
            <h2 className="title" dir="auto">
              {segment.name}
            </h2>
            <p className="sub">
              <UsedBy segment={segment} />
              {reason && ` ${reason}.`}
            </p>
          </div>
          <div className="end">
            <SegmentActions segment={segment} reason={reason} />
          </div>
        </div>
        <Sentence condition={saved.condition} otherwise="Nothing is chosen yet" />
        <Builder
          label={`Rule of ${segment.name}`}
          condition={saved.condition}
          place={segment.scope === 'user' ? 'who' : 'group'}
          catalogue={catalogue}
          counted={live.counted}
          isOld={live.isOld}
          isReadOnly={reason !== undefined}
          onChange={saved.change}
          onUnfinished={setUnfinished}
        />
        {saved.conflict && (
          <ChangedMeanwhile problem={saved.conflict} onTheirs={saved.takeTheirs} onMine={saved.keepMine} />
        )}
        {segment.is_live && saved.isChanged && !saved.conflict && (
          <div className="strip-save" role="status">
            <span>
              Content that is live uses this segment.{' '}
              {!live.error && (
                <>
                  With the change {live.counted ? count(live.counted.count) : '…'} {segment.scope}s are in it.
                </>
              )}
            </span>
            <span className="end">
              <Button onClick={saved.discard}>Discard</Button>
              <Button kind="primary" busy={saved.isSaving && 'Saving…'} onClick={saved.save}>
                Save the change
              </Button>
            </span>
          </div>
        )}
        <Members scope={segment.scope} condition={live.asked} live={live} />
      </SegmentsPage>
    </>
  )
}

function UsedBy({ segment: { used_by, is_live } }: { segment: Segment }) {
  const { slug: environment } = useEnvironment()
  if (used_by.length === 0) return 'Nothing uses it yet.'
  return (
    <>
      Used by{' '}
      {used_by.map(({ object, key, id, name }, index) => (
        <span key={`${object} ${key}`}>
          {index > 0 && ', '}
          {id && object === 'segment' ? (
            <Link className="link" to="/$environment/segments/$segmentId" params={{ environment, segmentId: id }}>
              {name}
            </Link>
          ) : id ? (
            <Link className="link" to="/$environment/content/$contentId" params={{ environment, contentId: id }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
      ))}
      {is_live ? ', which is live: a change here reaches it at once.' : '.'}
    </>
  )
}
