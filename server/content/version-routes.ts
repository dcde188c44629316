import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { isUuid, LEAST_ID } from '../ids.ts'
import { renderObjects } from '../lists/response.ts'
import type { Services } from '../services.ts'
import { inDocumentsTurn } from './documents-turn.ts'
import { readPage } from './read-page.ts'
import type { VersionRow } from './rows.ts'
import { findVersion, versionSource, versionSourceOfAll } from './version-queries.ts'
import { showsDocument, versionObjects } from './views.ts'

const KIND = 'Content version'

export function versionHandlers({ database, listReader }: Services) {
  return {
    listContentVersions: async ({ grant: { environmentId }, query, address }) => {
      const expand = parseExpand('content_version', query.expand)
      const { content_id: contentId } = query
      const list = {
        source: versionSource(isUuid(contentId) ? contentId : LEAST_ID, showsDocument(expand)),
        all: versionSourceOfAll(),
        fields: orderable.versions,
        kind: KIND,
      }
      return await inDocumentsTurn(environmentId, expand, async () => {
        const { page, objects } = await listReader.read(async (db) => {
          const page = await readPage<VersionRow>(db, environmentId, list, query)
          return { page, objects: await versionObjects(db, environmentId, page.rows, expand) }
        })
        return renderObjects(address(), query, page, objects)
      })
    },

    getContentVersion: async ({ grant: { environmentId }, params: { content_version_id: id }, query }) => {
      const expand = parseExpand('content_version', query.expand)
      const row = isUuid(id) ? await findVersion(database, environmentId, id) : undefined
      if (!row) throw errors.notFound(KIND, id)
      const [object] = await versionObjects(database, environmentId, [row], expand)
      return JSON.stringify(object)
    },
  } satisfies Partial<ApiHandlers>
}
