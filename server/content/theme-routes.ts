import type { ThemeDocument } from '../../contract/content/theme.ts'
import { themeProblems } from '../../contract/content/validate.ts'
import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import type { OriginOf } from '../audit/api-origin.ts'
import { renderObjects } from '../lists/response.ts'
import type { Services } from '../services.ts'
import { answerWrite } from '../writes/answer-write.ts'
import { readPage } from './read-page.ts'
import { refuse } from './refuse.ts'
import { type ThemeRow, themeSource } from './theme-queries.ts'
import { saveThemes } from './themes.ts'
import { themeObject } from './views.ts'

const allThemes = { source: themeSource, all: themeSource, fields: orderable.themes, kind: 'Theme' }

export function themeHandlers(services: Services, originOf: OriginOf) {
  const { listReader } = services
  return {
    listThemes: async ({ grant: { environmentId }, query, address }) => {
      const page = await listReader.read((db) => readPage<ThemeRow>(db, environmentId, allThemes, query))
      return renderObjects(address(), query, page, page.rows.map(themeObject))
    },

    saveTheme: async (call) => {
      refuse(themeProblems(call.body))
      const request = { job: { document: call.body as unknown as ThemeDocument }, origin: await originOf(call) }
      return await answerWrite(services, saveThemes, call, request, (row) => JSON.stringify(themeObject(row)))
    },
  } satisfies Partial<ApiHandlers>
}
