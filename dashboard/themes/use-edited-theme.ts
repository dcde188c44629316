import { useState } from 'react'
import { isEqual } from '../../contract/content/differences.ts'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { call } from '../api.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { reloadThemes, type Theme } from './queries.ts'

export interface EditedTheme {
  document: ThemeDocument
  isChanged: boolean
  isSaving: boolean
  savedAt: Date | undefined
  problem: string | undefined
  edit: (change: Partial<ThemeDocument>) => void
  save: () => void
  discard: () => void
}

/** A theme while it is edited. It reaches users at once, so it is saved only when somebody says so. */
export function useEditedTheme(theme: Theme): EditedTheme {
  const { slug: environment } = useEnvironment()
  const [document, setDocument] = useState(theme.document)
  const [base, setBase] = useState(theme)
  const [savedAt, setSavedAt] = useState<Date>()
  const isChanged = JSON.stringify(document) !== JSON.stringify(base.document)
  // What somebody else saved is shown, unless that would lose what was changed here: then saving says so. What was saved from
  // here is no change of somebody else, also when there are newer changes.
  if (theme.edited_at !== base.edited_at && (!isChanged || isEqual(theme.document, base.document))) {
    setBase(theme)
    if (!isChanged) setDocument(theme.document)
  }
  const saving = useAction(async () => {
    await call('saveTheme', { environment, document, expected: base.edited_at })
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
    edit: (change) => setDocument((now) => ({ ...now, ...change })),
    save: () => void saving.run(),
    discard: () => {
      saving.clear()
      setBase(theme)
      setDocument(theme.document)
    },
  }
}
