import { changeControl } from '../../accounts/change.ts'
import { createEnvironment } from '../../accounts/create.ts'
import { type AccountRow, listAccounts, lockAccount } from '../../accounts/queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import type { Database } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { listNames, parseName } from '../names.ts'
import { withDatabase } from '../with-database.ts'

export const environmentsCreate = command({
  summary: 'Create an environment, whose data no other can see',
  parameters: ['NAME'],
  options: {
    account: { type: 'string', value: 'NAME', description: 'the account; needed when there are several' },
  },
  async run({ config, parameters: [text], options }) {
    const name = parseName(text)
    return await withDatabase(config(), async (database) => {
      const account = await findAccount(database, options.account)
      const at = new Date().toISOString()
      const id = await changeControl(database, async (transaction) => {
        await lockAccount(transaction, account.id)
        const created = await createEnvironment(transaction, account.id, name, at)
        const target = { id: created ?? 0, name }
        if (created !== undefined)
          await record(transaction, commandActor(account.id), { action: 'environment.created', target })
        return created
      })
      if (id === undefined) throw new StartupError(`Account ${account.name} has an environment ${name} already.`)
      return {
        text: `Created environment ${name} in account ${account.name}.`,
        json: { id, name, account_id: account.id, account_name: account.name, created_at: at },
        hint: `A key for it: npx usher keys create --environment ${JSON.stringify(name)}`,
      }
    })
  },
})

async function findAccount(database: Database, name: string | undefined): Promise<AccountRow> {
  const accounts = await listAccounts(database)
  const [found, ...others] = accounts.filter((row) => name === undefined || row.name === name)
  if (found && others.length === 0) return found
  if (found) throw new StartupError(`There are several accounts: say which with --account (${listNames(accounts)}).`)
  if (accounts.length === 0) throw new StartupError('There is no account yet: npm start makes the first.')
  throw new StartupError(`There is no account ${name}; there are: ${listNames(accounts)}.`)
}
