import { Link, useNavigate } from '@tanstack/react-router'
import { Hint } from '../parts/hint.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { ContentActions } from './content-actions.tsx'
import { headVerdict } from './head-verdict.ts'
import { ContentStateLabel, KindGlyph, shownState } from './kinds.tsx'
import { PreviewButton } from './preview-button.tsx'
import { useContent, useDraft, useDraftState } from './use-draft.ts'

const ICONS = { ok: 'check', info: 'info', bad: 'alert', none: 'info' } as const

/** Name, state and verdict of a content, the same on each of its tabs. */
export function ContentHead() {
  const { detail, store, version } = useContent()
  const state = useDraftState(store)
  const { document, edit, reason } = useDraft()
  const verdict = headVerdict(detail, state)
  return (
    <header className="chead">
      <KindGlyph icon={detail.type} large />
      <div className="min-w-0">
        <h1 className="title">
          {reason ? (
            <span className="clip" dir="auto">
              {document.name}
            </span>
          ) : (
            <input
              className="name-in"
              aria-label="Name"
              dir="auto"
              maxLength={100}
              value={document.name}
              placeholder="Without a name"
              onChange={(event) => {
                const name = event.target.value
                edit('rename', (now) => ({ ...now, name }), 'name')
              }}
              onBlur={() => store.flush()}
            />
          )}
          <ContentStateLabel badge state={shownState(state.state, detail.guidance.is_off)} />
        </h1>
        <p className="sub">
          {version ? (
            <>
              Version {version.number}
              {version.published_at && (
                <>
                  , published <Time at={version.published_at} as="day" />
                </>
              )}
              . It can be read, and does not change.
            </>
          ) : (
            <>
              {verdict.level !== 'none' && <Icon name={ICONS[verdict.level]} className={verdict.level} />}
              {verdict.words} <More to={verdict.to} />
            </>
          )}
        </p>
      </div>
      <div className="end">
        <UndoButtons />
        <PreviewButton />
        <ContentActions />
      </div>
    </header>
  )
}

function More({ to }: { to: 'publish' | 'results' | undefined }) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const navigate = useNavigate()
  if (to === 'results')
    return (
      <Link
        className="link"
        to="/$environment/content/$contentId/results"
        params={{ environment, contentId: detail.id }}
      >
        See results
      </Link>
    )
  if (to !== 'publish') return null
  const open = () => void navigate({ to: '.', search: (before: object) => ({ ...before, publish: 'yes' }) as never })
  return (
    <button type="button" className="link" onClick={open}>
      Show them
    </button>
  )
}

function UndoButtons() {
  const { store, reason } = useContent()
  const { changes } = useDraftState(store)
  const last = changes.past.at(-1)?.name
  const next = changes.future.at(-1)?.name
  if (reason) return null
  return (
    <span className="pair">
      <Hint text={last ? `Undo: ${last}` : 'Nothing to undo'}>
        <button
          type="button"
          className="btn"
          aria-label={last ? `Undo: ${last}` : 'Undo'}
          aria-disabled={!last}
          onClick={() => store.undo()}
        >
          <Icon name="undo" />
        </button>
      </Hint>
      <Hint text={next ? `Redo: ${next}` : 'Nothing to do again'}>
        <button
          type="button"
          className="btn"
          aria-label={next ? `Redo: ${next}` : 'Redo'}
          aria-disabled={!next}
          onClick={() => store.redo()}
        >
          <Icon name="redo" />
        </button>
      </Hint>
    </span>
  )
}
