import { differencesOf } from '../../../contract/content/differences.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import type { Version } from '../../../contract/dashboard/content.ts'
import { findVersionByNumber, listVersionRows, type StatedVersion } from '../../content/version-queries.ts'
import { errors } from '../../errors.ts'
import { findFigures } from '../../results/queries.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { referenceNames } from './reference-names.ts'

/** The versions of a content, newest first. What changed is against the version before, unless another is named. */
export function versionHandlers({
  services: { database },
}: DashboardParts): Pick<DashboardHandlers, 'listVersions' | 'getVersion'> {
  return {
    listVersions: async ({ environment: { id }, params }) => {
      const content = await contentOf(database, id, params.content_id)
      const [rows, figures] = await Promise.all([
        listVersionRows(database, id, content.id),
        findFigures(database, id, { contentId: content.id }),
      ])
      const ofVersions = new Map(figures.map(({ version_id, ...of }) => [version_id, of]))
      return {
        data: rows.map((row) => {
          const { runs = 0, completed = 0 } = ofVersions.get(row.id) ?? {}
          return { ...versionFields(row), seen: runs, completed }
        }),
      }
    },

    getVersion: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const number = /^\d{1,6}$/.test(params.number) ? Number(params.number) : 0
      const row = await findVersionByNumber(database, id, content.id, number)
      if (!row) throw errors.gone('Version', params.number.slice(0, 20))
      const before = await findVersionByNumber(database, id, content.id, query.against ?? number - 1)
      const document = JSON.parse(row.document) as ContentDocument
      const names = await referenceNames(database, id)
      const changes = differencesOf(before && (JSON.parse(before.document) as ContentDocument), document, names)
      return { ...versionFields(row), document, against: before?.number ?? null, changes }
    },
  }
}

function versionFields(row: Omit<StatedVersion, 'document'>): Omit<Version, 'document' | 'against' | 'changes'> {
  const { number, state, description, edited_at, edited_by, published_at } = row
  return { number, state, description, edited_at, edited_by, published_at }
}
