import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { cell, download, MOST_EXPORTED } from '../objects/export.ts'
import { toast } from '../parts/toast.tsx'

const PAGE = 500

/** Every text that was given to a question as a CSV file, one page after the other. */
export async function exportTexts(asked: Input<'listAnswers'>, name: string): Promise<void> {
  const lines = [line(['user_id', 'name', 'answered_at', 'text'])]
  let before: string | null = ''
  while (before !== null && lines.length <= MOST_EXPORTED) {
    const page: Output<'listAnswers'> = await call('listAnswers', {
      ...asked,
      limit: PAGE,
      ...(before ? { before } : {}),
    })
    for (const { user_id, user_name, at, text } of page.data) lines.push(line([user_id, user_name, at, text]))
    before = page.next
  }
  download(name, new Blob(lines, { type: 'text/csv' }))
  toast(`${before === null ? '' : 'The newest '}${count(lines.length - 1)} answers exported.`)
}

const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`
