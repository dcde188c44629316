import { readIdentity } from '../../sdk/identity.ts'
import type { IdentitySecret } from '../../sdk/secret-queries.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { textTable } from '../text-table.ts'

export const identityShow = command({
  summary: 'Show whether pages must prove who their user is, and the live secrets',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    const state = await inEnvironment(config(), options, async ({ database, environment }) => {
      return await readIdentity(database, environment.id)
    })
    const columns = {
      id: (row: IdentitySecret) => row.id,
      secret: (row: IdentitySecret) => `ids_…${row.last_four}`,
      created: (row: IdentitySecret) => row.created_at,
      'last used': (row: IdentitySecret) => row.last_used_at,
    }
    return {
      text: `identity: ${state.setting}\n${textTable(state.secrets, columns, 'There is no secret.')}`,
      json: state,
    }
  },
})
