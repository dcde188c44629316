import { call } from '../api.ts'
import { EXPORT_PAGE, exportPages } from './export-pages.ts'
import type { CountedRunsAsked } from './queries.ts'

/** Every run behind a figure. */
export async function exportPeople(asked: CountedRunsAsked, name: string): Promise<void> {
  await exportPages({
    name,
    what: 'run',
    titles: ['user_id', 'name', 'began_at', 'completed_at', 'ended_at', 'end_reason'],
    read: (cursor) => call('listCountedRuns', { ...asked, limit: EXPORT_PAGE, ...(cursor ? { cursor } : {}) }),
    cells: (run) => [run.user_id, run.user_name, run.at, run.completed_at, run.ended_at, run.end_reason],
  })
}
