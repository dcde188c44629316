import { useState } from 'react'
import { isEqual } from '../../contract/content/differences.ts'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { ApiError, call } from '../api.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { reloadThemes, type Theme } from './queries.ts'

export interface EditedTheme {
  document: ThemeDocument
  isChanged: boolean
  isSaving: boolean
  savedAt: Date | undefined
  problem: string | undefined
  /** Who saved it meanwhile. */
  conflict: string | undefined
  edit: (change: Partial<ThemeDocument>) => void
  save: () => void
  discard: () => void
}

/**
 * A theme while it is edited. It reaches users at once, so it is saved only when somebody says so. `isGone`: it was deleted
 * meanwhile, and saving makes it anew.
 */
export function useEditedTheme(theme: Theme, isGone: boolean): EditedTheme {
  const { slug: environment } = useEnvironment()
  const [document, setDocument] = useState(theme.document)
  const [base, setBase] = useState(theme)
  const [savedAt, setSavedAt] = useState<Date>()
  const [conflict, setConflict] = useState<string>()
  const isChanged = JSON.stringify(document) !== JSON.stringify(base.document)
  // What somebody else saved is shown, unless that would lose what was changed here: then saving says so. What was saved from
  // here is no change of somebody else, also when there are newer changes.
  if (theme.edited_at !== base.edited_at && (!isChanged || isEqual(theme.document, base.document))) {
    setBase(theme)
    if (!isChanged) setDocument(theme.document)
  }
  const saving = useAction(async () => {
    // Who saves again after a conflict replaces what is there now.
    const expected = isGone ? null : conflict === undefined ? base.edited_at : theme.edited_at
    setConflict(undefined)
    try {
      await call('saveTheme', { environment, document, expected })
    } catch (error) {
      if (!(error instanceof ApiError) || !(error.code === 'conflict' || error.status === 404)) throw error
      await reloadThemes(environment)
      // Deleted: the list says so.
      return error.code === 'conflict' && setConflict(error.message)
    }
    setSavedAt(new Date())
    setBase({ ...base, document })
    await reloadThemes(environment)
  })
  return {
    document,
    isChanged,
    isSaving: saving.running,
    savedAt,
    problem: saving.problem,
    conflict,
    edit: (change) => setDocument((now) => ({ ...now, ...change })),
    save: () => void saving.run(),
    discard: () => {
      saving.clear()
      setConflict(undefined)
      setBase(theme)
      setDocument(theme.document)
    },
  }
}
