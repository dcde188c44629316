import { type KeyRow, listKeys, shownKey } from '../../accounts/key-queries.ts'
import { command } from '../command.ts'
import { environmentsNamed } from '../environments/find.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'

export const keysList = command({
  summary: 'List the API keys, by their first and last characters',
  parameters: [],
  options: {
    environment: { type: 'string', value: 'NAME', description: 'only those of this environment' },
    all: { type: 'boolean', description: 'also those that were revoked' },
  },
  async run({ config, options }) {
    const { environment } = options
    const rows = await withDatabase(config(), async (database) => {
      if (environment !== undefined) await environmentsNamed(database, environment)
      return await listKeys(database)
    })
    const keys = rows
      .filter((row) => environment === undefined || row.environment_name === environment)
      .filter((row) => options.all || row.revoked_at === null)
    const columns = {
      id: (row: KeyRow) => row.id,
      key: shownKey,
      account: (row: KeyRow) => row.account_name,
      environment: (row: KeyRow) => row.environment_name,
      created: (row: KeyRow) => row.created_at,
      ...(options.all && { revoked: (row: KeyRow) => row.revoked_at }),
    }
    return { text: textTable(keys, columns, 'There is no such key.'), json: keys }
  },
})
