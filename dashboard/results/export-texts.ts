import type { Input } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { EXPORT_PAGE, exportPages } from './export-pages.ts'

/** Every text that was given to a question. */
export async function exportTexts(asked: Input<'listAnswers'>, name: string): Promise<void> {
  await exportPages({
    name,
    what: 'answer',
    titles: ['user_id', 'name', 'answered_at', 'text', 'score'],
    read: (before) => call('listAnswers', { ...asked, limit: EXPORT_PAGE, ...(before ? { before } : {}) }),
    cells: ({ user_id, user_name, at, text, score }) => [user_id, user_name, at, text, score],
  })
}
