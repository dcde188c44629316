import type { ThemeDocument } from '../../contract/content/theme.ts'
import { limits } from '../../contract/limits.ts'
import { findLastEntry } from '../audit/queries.ts'
import { type ApiError, errors } from '../errors.ts'
import { contentWork } from './change.ts'
import { findGuidance, type GuidanceChange, type GuidanceRow, updateGuidance } from './guidance-queries.ts'
import { findContent, updateAddress } from './queries.ts'
import { deleteTheme, findThemes, findThemeUses, type ThemeRow, upsertTheme } from './theme-queries.ts'

/** Turns all content of an environment off or on, sets its quiet period, and who may publish. */
export const changeGuidance = contentWork(async (change, job: GuidanceChange): Promise<GuidanceRow | ApiError> => {
  const { db, environmentId, origin, at } = change
  const refusal = await change.refusal()
  if (refusal) return refusal
  await updateGuidance(db, environmentId, job, origin.actor.name, at)
  await change.raise()
  const action =
    job.isOff === undefined ? 'guidance.changed' : job.isOff ? 'guidance.switched_off' : 'guidance.switched_on'
  await change.note(action, { id: String(environmentId), name: origin.environment }, { after: job })
  return (await findGuidance(db, environmentId)) as GuidanceRow
})

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
  const isNew = before === undefined
  if (typeof expected === 'string' && !before) return errors.gone('Theme', document.key)
  if (expected !== undefined && before && expected !== before.edited_at)
    return errors.changedMeanwhile('theme', before.name, await findLastEntry(db, origin.actor.accountId, before.id))
  if (isNew && themes.length >= limits.themesPerEnvironment)
    return errors.invalidParams([`key: an environment has at most ${limits.themesPerEnvironment} themes`])
  const { key, name } = document
  const times = { created_at: at, edited_at: at }
  const row = await upsertTheme(db, environmentId, {
    id: change.newId(),
    key,
    name,
    document: JSON.stringify(document),
    ...times,
  })
  await change.raise()
  await change.note(
    isNew ? 'theme.created' : 'theme.changed',
    { id: row.id, name },
    {
      ...(before ? { before: JSON.parse(before.document) } : {}),
      after: document,
    },
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

/** Where the dashboard opens the application to pick targets and to preview. */
export const changeAddresses = contentWork(
  async (change, { id, address }: { id: string; address: string | null }): Promise<true | ApiError> => {
    const content = await findContent(change.db, change.environmentId, id)
    if (!content) return errors.notFound('Content', id)
    await updateAddress(change.db, change.environmentId, id, address)
    await change.note('content.address_changed', { id, name: content.name }, { after: { address } })
    return true
  },
)
