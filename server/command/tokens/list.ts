import { listTokens, type PublicToken } from '../../sdk/token-queries.ts'
import { isLive } from '../../sdk/tokens.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { textTable } from '../text-table.ts'

export const tokensList = command({
  summary: 'List the public tokens of an environment',
  parameters: [],
  options: {
    ...inEnvironmentOptions,
    all: { type: 'boolean', description: 'also those that were revoked or have ended' },
  },
  async run({ config, options }) {
    const all = await inEnvironment(config(), options, async ({ database, environment }) => {
      return await listTokens(database, environment.id)
    })
    const tokens = all.filter((row) => options.all || isLive(row))
    const columns = {
      id: (row: PublicToken) => row.id,
      token: (row: PublicToken) => row.token,
      name: (row: PublicToken) => row.name,
      created: (row: PublicToken) => row.created_at,
      'last used': (row: PublicToken) => row.last_used_at,
      ends: (row: PublicToken) => row.ends_at,
      ...(options.all && { revoked: (row: PublicToken) => row.revoked_at }),
    }
    return { text: textTable(tokens, columns, 'There is no token.'), json: tokens }
  },
})
