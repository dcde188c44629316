import { useState } from 'react'
import { differencesOf } from '../../contract/content/differences.ts'
import { useNames } from '../conditions/use-names.ts'
import { Button } from '../parts/button.tsx'
import { Time } from '../parts/time.tsx'
import { ChangeList } from './change-list.tsx'
import { useContent, useDraftState } from './use-draft.ts'

/** Somebody else saved meanwhile: who, what, and the choice. Nothing is overwritten unseen. */
export function ConflictStrip() {
  const { store } = useContent()
  const { conflict } = useDraftState(store)
  const names = useNames()
  const [shows, setShows] = useState(false)
  if (!conflict) return null
  const theirs = differencesOf(store.saved, conflict.document, names)
  return (
    <div className="strip" role="alert">
      <p>
        <b>{conflict.by ?? 'Somebody'}</b> changed {theirs[0]?.place ?? 'it'}
        {theirs.length > 1 && ` and ${theirs.length - 1} more`} at <Time at={conflict.at} as="minute" />. Yours is kept
        here.
      </p>
      <span className="end">
        <Button small aria-expanded={shows} onClick={() => setShows(!shows)}>
          Show
        </Button>
        <Button small onClick={() => store.takeTheirs()}>
          Take theirs
        </Button>
        <Button small onClick={() => store.keepMine()}>
          Keep mine
        </Button>
      </span>
      {shows && <ChangeList changes={theirs} />}
    </div>
  )
}
