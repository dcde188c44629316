import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { useCopy } from '../parts/copy.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { useReason, useSession } from '../session/use-session.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import type { Collection, Profile } from './queries.ts'
import { TrackDialog } from './track-dialog.tsx'
import { WORDS } from './words.ts'

export function ProfileActions({ kind, profile }: { kind: Collection; profile: Profile }) {
  const { api_url } = useSession()
  const [open, setOpen] = useState<'track' | 'delete'>()
  const { copied, copy } = useCopy(() => curlOf(api_url, kind, profile))
  const mayTrack = useReason('trackEvent')
  const mayDelete = useReason(kind === 'users' ? 'deleteUser' : 'deleteGroup')
  return (
    <div className="end">
      <Button icon={copied ? 'check' : 'terminal'} onClick={copy}>
        {copied ? 'Copied' : 'Copy as curl'}
      </Button>
      <Button icon="plus" reason={mayTrack} onClick={() => setOpen('track')}>
        Track event
      </Button>
      <Menu trigger={<Button className="square" aria-label="More actions" icon="more" />}>
        <MenuItem icon="trash" danger reason={mayDelete} onSelect={() => setOpen('delete')}>
          Delete {WORDS[kind].one}
        </MenuItem>
      </Menu>
      {open === 'track' && <TrackDialog kind={kind} id={profile.id} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteDialog kind={kind} profile={profile} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

/** The key is not known here: the one place that showed it was its creation. */
function curlOf(api: string, kind: Collection, { id }: Profile): string {
  return `curl '${api}/${kind}/${encodeURIComponent(id).replaceAll("'", '%27')}' \\\n  -H "Authorization: Bearer $USHER_API_KEY"`
}
