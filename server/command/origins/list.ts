import { listOrigins } from '../../sdk/origin-queries.ts'
import { LOCALHOST } from '../../sdk/origins.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const originsList = command({
  summary: 'List the origins whose pages may use an environment',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    const stored = await inEnvironment(config(), options, async ({ database, environment }) => {
      return await listOrigins(database, environment.id)
    })
    const origins = stored.length === 0 ? [LOCALHOST] : stored
    return { text: origins.join('\n'), json: origins }
  },
})
