import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment, useReason, useSession } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { DeleteDialog, TakeDownDialog } from './end-dialogs.tsx'
import { JsonDialog } from './json-dialog.tsx'
import { reloadContent } from './queries.ts'
import { useContent, useDraftState } from './use-draft.ts'

const COPY = ' copy'
const MOST_CHARACTERS = 100

/** A long name loses its end, and no half of a letter stays. */
const nameOfCopy = (name: string) => name.slice(0, MOST_CHARACTERS - COPY.length).replace(/[\ud800-\udbff]$/, '') + COPY

/** Publish, and everything that is done with the whole of a content. */
export function ContentActions() {
  const { detail, store, version } = useContent()
  const { document, state, problems } = useDraftState(store)
  const { slug: environment } = useEnvironment()
  const { environments } = useSession()
  const navigate = useNavigate()
  const writes = useReason('createContent')
  const publishes = detail.guidance.may_publish ? undefined : 'Needs the role admin'
  const [open, setOpen] = useState<'down' | 'delete' | 'json'>()
  const { run, problem } = useAction(async (act: () => Promise<unknown>) => await act())
  const openAt = (contentId: string, slug = environment) =>
    navigate({ to: '/$environment/content/$contentId/steps', params: { environment: slug, contentId } })
  const duplicate = async () => {
    const copy = { ...document, name: nameOfCopy(document.name) }
    const { id } = await call('createContent', { environment, document: copy })
    await reloadContent(environment)
    await openAt(id)
    toast('This is the copy.')
  }
  const copyTo = async (slug: string, name: string) => {
    await store.settle()
    if (store.read().saving !== 'saved') throw new Error('The draft is not saved yet, and was not copied.')
    const { is_new } = await call('copyContent', { environment, content_id: detail.id, to: slug })
    await reloadContent(slug)
    toast(is_new ? `It is a draft in ${name} now.` : `The draft in ${name} is the same now.`)
  }
  const makeDraft = () => {
    if (version) store.edit(`make version ${version.number} the draft`, () => version.document)
    void navigate({ to: '.', search: (before: object) => ({ ...before, at: undefined }) as never })
  }
  const isDone = state === 'published' && problems.length === 0
  return (
    <>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      <Menu trigger={<Button className="square" aria-label="More actions" icon="more" />}>
        <MenuItem icon="copy" reason={writes} onSelect={() => void run(duplicate)}>
          Duplicate
        </MenuItem>
        {environments
          .filter(({ slug }) => slug !== environment)
          .slice(0, 10)
          .map(({ slug, name }) => (
            <MenuItem key={slug} icon="layers" reason={writes} onSelect={() => void run(() => copyTo(slug, name))}>
              Copy to {name}
            </MenuItem>
          ))}
        <MenuItem icon="install" onSelect={() => setOpen('json')}>
          Paste or download as JSON
        </MenuItem>
        <MenuLine />
        {detail.published && (
          <MenuItem icon="pause" danger reason={publishes} onSelect={() => setOpen('down')}>
            Take down…
          </MenuItem>
        )}
        <MenuItem
          icon="trash"
          danger
          reason={detail.published || detail.versions > 1 ? publishes : writes}
          onSelect={() => setOpen('delete')}
        >
          Delete…
        </MenuItem>
      </Menu>
      {version ? (
        <Button kind="primary" reason={writes} onClick={makeDraft}>
          Make this the draft
        </Button>
      ) : (
        <Button
          kind="primary"
          reason={isDone ? `The draft is the same as version ${detail.published?.number}` : undefined}
          onClick={() =>
            void navigate({ to: '.', search: (before: object) => ({ ...before, publish: 'yes' }) as never })
          }
        >
          Publish…
        </Button>
      )}
      {open === 'down' && <TakeDownDialog detail={detail} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteDialog detail={detail} onClose={() => setOpen(undefined)} />}
      {open === 'json' && <JsonDialog onClose={() => setOpen(undefined)} />}
    </>
  )
}
