import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ContentDocument } from '../../contract/content/document.ts'
import { emptyDocument, type Starter, starters } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { call } from '../api.ts'
import { Preview } from '../editor/preview.tsx'
import { counted } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { useShownTheme } from '../parts/theme.ts'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { KINDS, KindGlyph } from './kinds.tsx'
import { type ContentList, reloadContent } from './queries.ts'

type Props = { list: ContentList; onBack: (() => void) | undefined }

/** What a new content begins with: one of four starters, or nothing. */
export function StartersPage({ list, onBack }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  const reason = useReason('createContent')
  const { run, running, problem } = useAction(async (document: ContentDocument) => {
    const { id } = await call('createContent', { environment, document })
    await reloadContent(environment)
    await navigate({ to: '/$environment/content/$contentId/steps', params: { environment, contentId: id } })
  })
  const [used, setUsed] = useState<ContentDocument>()
  const use = (document: ContentDocument) => {
    if (!running) setUsed(document)
    void run(document)
  }
  return (
    <div className="page">
      <div className="head">
        <div className="min-w-0">
          <h1 className="title">{onBack ? 'New content' : 'Nothing to show yet'}</h1>
          <p className="sub measure">
            Content is what your users see: a flow, a checklist, a banner or a launcher. Begin with one of these and
            change everything, or with nothing.
          </p>
        </div>
        <div className="end">
          {onBack && <Button onClick={onBack}>Cancel</Button>}
          <Menu
            trigger={
              <Button icon="plus" reason={reason} busy={running && 'Creating…'}>
                Empty
                <Icon name="down" />
              </Button>
            }
          >
            {KINDS.map(({ type }) => (
              <MenuItem key={type} icon={type} onSelect={() => use(emptyDocument(type))}>
                Empty {type}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </div>
      <ScriptSeen at={list.script_seen_at} />
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      <div className="starters">
        {starters.map((starter) => (
          <StarterCard
            key={starter.title}
            starter={starter}
            reason={reason}
            isBusy={running && used === starter.document}
            onUse={() => use(starter.document)}
          />
        ))}
      </div>
      <p className="note">
        <Icon name="terminal" />
        <span>
          Content can also live in your repository: <code>npx usher content pull</code> writes it as files,{' '}
          <code>npx usher content diff</code> says in words what a push would change.
        </span>
      </p>
    </div>
  )
}

function ScriptSeen({ at }: { at: string | null }) {
  const { slug: environment } = useEnvironment()
  return (
    <div className={at ? 'wait got' : 'wait lacking'}>
      <Icon name={at ? 'check' : 'alert'} />
      <span>
        {at ? (
          <>
            Your pages have the script: seen <Time at={at} as="activity" />.{' '}
            <span className="t2">What you publish can be shown at once.</span>
          </>
        ) : (
          'Nothing is installed yet. You can draw now and install later.'
        )}
      </span>
      <Link className="end link" to="/$environment/settings/install" params={{ environment }}>
        Install
      </Link>
    </div>
  )
}

type CardProps = { starter: Starter; reason: string | undefined; isBusy: boolean; onUse: () => void }

function StarterCard({ starter: { title, about, document, step }, reason, isBusy, onUse }: CardProps) {
  const mode = useShownTheme()
  return (
    <article className="starter">
      <div className="pic" aria-hidden="true" inert>
        <Preview document={document} theme={defaultTheme} step={step} mode={mode} isOpen title="" />
      </div>
      <div className="tx">
        <h2>{title}</h2>
        <p>{about}</p>
        <div className="meta">
          <KindGlyph icon={document.type} />
          <span className="t2 s12">{sizeOf(document)}</span>
          <Button small className="end" reason={reason} busy={isBusy && 'Creating…'} onClick={onUse}>
            Use it
          </Button>
        </div>
      </div>
    </article>
  )
}

function sizeOf(document: ContentDocument): string {
  if (document.type === 'flow') return `Flow, ${counted(document.steps.length, 'step')}`
  return document.type === 'checklist' ? `Checklist, ${counted(document.tasks.length, 'task')}` : document.type
}
