import { listSeenAttributes, listSeenEvents } from '../../definitions/seen-queries.ts'
import { command } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'
import { withDatabase } from '../with-database.ts'
import { declareTypes } from './declaration.ts'

export const types = command({
  summary: 'Print the attributes and events of an environment as TypeScript types, for @usher/client',
  parameters: [],
  options: {
    environment: {
      type: 'string',
      value: 'NAME',
      description: 'the environment whose definitions to take',
      required: true,
    },
    account: accountOption,
  },
  async run({ config, options }) {
    return await withDatabase(config(), async (database) => {
      const { id } = await findEnvironment(database, options.environment, options.account)
      const attributes = await listSeenAttributes(database, id)
      const events = await listSeenEvents(database, id)
      return { text: declareTypes(attributes, events), json: { attributes, events } }
    })
  },
})
