import { addOrigin } from '../../sdk/origins.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const originsAdd = command({
  summary: 'Allow pages of an origin to use the public tokens of an environment',
  parameters: ['ORIGIN'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const origin = await addOrigin(database, { actor, environment }, text)
      return { text: `Pages of ${origin} may use ${environment.name}.`, json: { origin } }
    })
  },
})
