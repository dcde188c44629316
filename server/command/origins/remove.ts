import { removeOrigin } from '../../sdk/origins.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const originsRemove = command({
  summary: 'Refuse pages of an origin from now on',
  parameters: ['ORIGIN'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      if (!(await removeOrigin(database, { actor, environment }, text)))
        throw new StartupError(`${environment.name} has no origin ${text}: see origins list.`)
      return { text: `Pages of ${text} are refused within a second.`, json: { origin: text } }
    })
  },
})
