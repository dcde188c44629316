import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { cell, download, MOST_EXPORTED } from '../objects/export.ts'
import { toast } from '../parts/toast.tsx'
import type { CountedRunsAsked } from './queries.ts'

const PAGE = 500

/** Every run behind a figure as a CSV file, one page after the other. */
export async function exportPeople(asked: CountedRunsAsked, name: string): Promise<void> {
  const lines = [line(['user_id', 'name', 'began_at', 'completed_at', 'ended_at', 'end_reason'])]
  let cursor: string | null = ''
  while (cursor !== null && lines.length <= MOST_EXPORTED) {
    const page: Output<'listCountedRuns'> = await call('listCountedRuns', {
      ...asked,
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    })
    for (const run of page.data)
      lines.push(line([run.user_id, run.user_name, run.at, run.completed_at, run.ended_at, run.end_reason]))
    cursor = page.next
  }
  download(name, new Blob(lines, { type: 'text/csv' }))
  toast(`${cursor === null ? '' : 'The newest '}${count(lines.length - 1)} runs exported.`)
}

const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`
