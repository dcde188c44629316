import type { EnvironmentRow } from '../../accounts/environment-queries.ts'
import type { Database } from '../../database/database.ts'
import { type ListedSubscription, listSubscriptions } from '../../webhooks/command-queries.ts'
import { command } from '../command.ts'
import { environmentsOf, findEnvironment } from '../environments/find.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'

interface Listed extends ListedSubscription {
  account: string
  environment: string
}

export const webhooksList = command({
  summary: 'List the webhook subscriptions',
  parameters: [],
  options: {
    environment: { type: 'string', value: 'NAME', description: 'only those of this environment' },
    account: { type: 'string', value: 'NAME', description: 'only those of this account' },
  },
  async run({ config, options }) {
    const listed = await withDatabase(config(), async (database) => {
      const { environment, account } = options
      const environments =
        environment === undefined
          ? await environmentsOf(database, account)
          : [await findEnvironment(database, environment, account)]
      return (await Promise.all(environments.map((each) => listedOf(database, each)))).flat()
    })
    return { text: textTable(listed, columns, 'There are no webhook subscriptions.'), json: listed }
  },
})

async function listedOf(database: Database, { id, name, account_name }: EnvironmentRow): Promise<Listed[]> {
  const rows = await listSubscriptions(database, id)
  return rows.map((row) => ({ account: account_name, environment: name, ...row }))
}

const columns = {
  account: (row: Listed) => row.account,
  environment: (row: Listed) => row.environment,
  subscription: (row: Listed) => row.id,
  url: (row: Listed) => row.url,
  topics: (row: Listed) => row.topics.join(', '),
  state: stateOf,
}

function stateOf({ disabled, failures, failing_since }: Listed): string {
  if (disabled) return 'disabled'
  return failures === 0 ? 'enabled' : `failing since ${failing_since}`
}
