import type { ThemeDocument } from '../../contract/content/theme.ts'
import { limits } from '../../contract/limits.ts'
import { findLastEntry } from '../audit/queries.ts'
import { type ApiError, errors } from '../errors.ts'
import { contentWork } from './change.ts'
import { deleteTheme, findThemes, findThemeUses, type ThemeRow, upsertTheme } from './theme-queries.ts'

/** A theme to store. `expected` is when the one that it replaces was edited; null when it replaces none. */
export interface ThemeChange {
  document: ThemeDocument
  expected?: string | null | undefined
}

/** Stores a theme. It counts at once for all content that names it. */
export const saveThemes = contentWork(async (change, job: ThemeChange): Promise<ThemeRow | ApiError> => {
  const { db, environmentId, origin, at } = change
  const { document, expected } = job
  const refusal = await change.refusal()
  if (refusal) return refusal
  const themes = await findThemes(db, environmentId)
  const before = themes.find(({ key }) => key === document.key)
  if (typeof expected === 'string' && !before) return errors.gone('Theme', document.key)
  if (expected !== undefined && before && expected !== before.edited_at)
    return errors.changedMeanwhile('theme', before.name, await findLastEntry(db, origin.actor.accountId, before.id))
  if (!before && themes.length >= limits.themesPerEnvironment)
    return errors.invalidParams([`key: an environment has at most ${limits.themesPerEnvironment} themes`])
  const { key, name } = document
  const row = await upsertTheme(db, environmentId, {
    id: change.newId(),
    key,
    name,
    document: JSON.stringify(document),
    created_at: at,
    edited_at: at,
  })
  await change.raise()
  await change.note(
    before ? 'theme.changed' : 'theme.created',
    { id: row.id, name },
    { ...(before && { before: JSON.parse(before.document) }), after: document },
  )
  return row
})

/** One that a draft or a published version names stays. */
export const deleteThemes = contentWork(async (change, key: string): Promise<true | ApiError> => {
  const refusal = await change.refusal()
  if (refusal) return refusal
  const uses = await findThemeUses(change.db, change.environmentId)
  const names = uses.filter(({ theme }) => theme === key).map(({ name }) => name)
  if (names.length > 0) return errors.conflict(`It is the theme of ${names.join(', ')}.`)
  const row = await deleteTheme(change.db, change.environmentId, key)
  if (row) {
    await change.raise()
    await change.note('theme.deleted', { id: row.id, name: row.name })
  }
  return true
})
