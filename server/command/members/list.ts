import { type AccountRow, listAccounts } from '../../accounts/queries.ts'
import { listMembers, type MemberRow } from '../../members/queries.ts'
import { command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'

type Row = MemberRow & { account: AccountRow['name'] }

export const membersList = command({
  summary: 'List the members who may sign in to the dashboard',
  parameters: [],
  options: {},
  async run({ config }) {
    const members = await withDatabase(config(), async (database) => {
      const rows: Row[] = []
      for (const { id, name } of await listAccounts(database))
        for (const member of await listMembers(database, id)) rows.push({ ...member, account: name })
      return rows
    })
    const columns = {
      email: (row: Row) => row.email,
      name: (row: Row) => row.name,
      role: (row: Row) => row.role,
      account: (row: Row) => row.account,
      'last active': (row: Row) => row.last_active_at,
    }
    const none = 'There is no member yet. Print the set-up link: npx usher members link'
    return { text: textTable(members, columns, none), json: members }
  },
})
