import { isPlanName, plans } from '../../../contract/plans.ts'
import { type AccountRow, listAccounts } from '../../accounts/queries.ts'
import { command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'

export const accountsList = command({
  summary: 'List the accounts with their plans',
  parameters: [],
  options: {},
  async run({ config }) {
    const accounts = await withDatabase(config(), listAccounts)
    const columns = {
      id: (row: AccountRow) => row.id,
      name: (row: AccountRow) => row.name,
      plan: (row: AccountRow) => row.plan,
      'requests a minute': (row: AccountRow) =>
        isPlanName(row.plan) ? (plans[row.plan].requestsPerMinute ?? 'no limit') : null,
      created: (row: AccountRow) => row.created_at,
    }
    return { text: textTable(accounts, columns, 'There is no account yet: npm start makes the first.'), json: accounts }
  },
})
