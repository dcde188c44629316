import { changeControl } from '../../accounts/change.ts'
import { createKey } from '../../accounts/create.ts'
import { lockPresentEnvironment } from '../../accounts/environment-queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { command } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'
import { withDatabase } from '../with-database.ts'

export const keysCreate = command({
  summary: 'Create an API key and print it, this once',
  parameters: [],
  options: {
    environment: {
      type: 'string',
      value: 'NAME',
      description: 'the environment that the key belongs to',
      required: true,
    },
    account: accountOption,
  },
  async run({ config, options }) {
    return await withDatabase(config(), async (database) => {
      const environment = await findEnvironment(database, options.environment, options.account)
      const at = new Date().toISOString()
      const { id, key } = await changeControl(database, async (transaction) => {
        await lockPresentEnvironment(transaction, environment.id, environment.name)
        const created = await createKey(transaction, environment.id, at)
        await record(transaction, commandActor(environment.account_id), {
          action: 'key.created',
          target: { id: created.id ?? 0 },
          environment: environment.slug,
        })
        return created
      })
      return {
        text: key,
        json: { id, key, account: environment.account_name, environment: environment.name, created_at: at },
        hint: `Key ${id} of ${environment.name} (account ${environment.account_name}). It is not shown again.`,
      }
    })
  },
})
