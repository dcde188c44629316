import { defaultTheme, type ThemeDocument } from '../../../contract/content/theme.ts'
import { themeProblems } from '../../../contract/content/validate.ts'
import type { Theme } from '../../../contract/dashboard/themes.ts'
import { refuse } from '../../content/refuse.ts'
import { findThemes, findThemeUses } from '../../content/theme-queries.ts'
import { deleteThemes, saveThemes } from '../../content/themes.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import { type DashboardHandlers, DONE } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { memberRequest } from './handlers.ts'
import { readGuidance } from './rights.ts'

/** Themes. They are live, so a change takes the right to publish. */
export function themeHandlers({
  services: { database, commits },
}: DashboardParts): Pick<DashboardHandlers, 'listThemes' | 'saveTheme' | 'deleteTheme'> {
  return {
    listThemes: async ({ environment: { id }, grant }) => ({
      data: await listThemes(database, id),
      may_publish: (await readGuidance(database, id, grant.session.role)).may_publish,
    }),

    saveTheme: async (call) => {
      const { environment, body } = call
      refuse(themeProblems(body.document))
      const request = memberRequest(call, { document: body.document, expected: body.expected })
      return { id: (await commits.submit(saveThemes, environment.id, request)).id }
    },

    deleteTheme: async (call) => {
      const { environment, params } = call
      const themes = await listThemes(database, environment.id)
      if (!themes.some(({ document }) => document.key === params.theme_key))
        throw errors.gone('Theme', params.theme_key.slice(0, 100))
      await commits.submit(deleteThemes, environment.id, memberRequest(call, params.theme_key))
      return DONE
    },
  }
}

/** The default theme is there before it is stored. */
async function listThemes(db: Queryable, id: EnvironmentId): Promise<Theme[]> {
  const [rows, uses] = await Promise.all([findThemes(db, id), findThemeUses(db, id)])
  const usedBy = (key: string) =>
    uses.filter(({ theme }) => theme === key).map(({ id, name, isLive }) => ({ id, name, is_live: isLive }))
  const stored = rows.map((row) => ({
    id: row.id,
    document: JSON.parse(row.document) as ThemeDocument,
    edited_at: row.edited_at,
    used_by: usedBy(row.key),
  }))
  const named = stored.toSorted((one, other) => one.document.name.localeCompare(other.document.name))
  if (stored.some(({ document }) => document.key === defaultTheme.key)) return named
  return [{ id: null, document: defaultTheme, edited_at: null, used_by: usedBy(defaultTheme.key) }, ...named]
}
