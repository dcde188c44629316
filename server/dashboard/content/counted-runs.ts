import { findPeople } from '../../results/people.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { namesOf } from './names.ts'
import { cursorOf, firstDay, placeOf } from './places.ts'
import { shownVersion } from './shown-version.ts'

const ROWS = 50

/** The users behind a figure of the results, by their runs. */
export function countedRunHandlers({
  services: { database, listReader },
}: DashboardParts): Pick<DashboardHandlers, 'listCountedRuns'> {
  return {
    listCountedRuns: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const version = await shownVersion(database, id, content, query.version)
      const of = { contentId: content.id, versionId: version.id, since: firstDay(query.days) }
      const page = { before: placeOf(query.cursor), limit: query.limit ?? ROWS }
      const { rows, next } = await listReader.read((db) => findPeople(db, id, of, query, page))
      const ids = rows.map(({ user_id }) => user_id)
      const names = await namesOf(database, id, ids)
      return {
        data: rows.map((row) => ({ ...row, user_name: names.get(row.user_id) ?? null })),
        next: cursorOf(next),
      }
    },
  }
}
