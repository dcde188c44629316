import { addOrigin, ORIGIN_RULE, readOrigin } from '../../sdk/origins.ts'
import { command, UsageError } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const originsAdd = command({
  summary: 'Allow pages of an origin to use the public tokens of an environment',
  parameters: ['ORIGIN'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    if (readOrigin(text) === undefined) throw new UsageError(`"${text}" is no origin: it ${ORIGIN_RULE}.`)
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const origin = await addOrigin(database, { actor, environment }, text)
      return { text: `Pages of ${origin} may use ${environment.name}.`, json: { origin } }
    })
  },
})
