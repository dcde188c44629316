import { type EnvironmentRow, listEnvironments } from '../../accounts/environment-queries.ts'
import { counted } from '../../counted.ts'
import { command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'

export const environmentsList = command({
  summary: 'List the environments of all accounts',
  parameters: [],
  options: {},
  async run({ config }) {
    const environments = await withDatabase(config(), listEnvironments)
    const columns = {
      id: (row: EnvironmentRow) => row.id,
      account: (row: EnvironmentRow) => row.account_name,
      name: (row: EnvironmentRow) => row.name,
      'events kept': (row: EnvironmentRow) => keptText(row.keep_events_days),
      'sessions kept': (row: EnvironmentRow) => keptText(row.keep_sessions_days),
      created: (row: EnvironmentRow) => row.created_at,
    }
    const none = 'There is no environment yet: npm start makes the first ones.'
    return { text: textTable(environments, columns, none), json: environments }
  },
})

function keptText(days: number | null): string {
  return days === null ? 'forever' : counted(days, 'day')
}
