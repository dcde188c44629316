import { revokeSecret } from '../../sdk/identity.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { checkId } from '../webhooks/options.ts'

export const identityRevokeSecret = command({
  summary: 'Revoke a secret that signs identities, by its id; it stops within a second',
  parameters: ['SECRET'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    const id = checkId(text, 'secret')
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      if (!(await revokeSecret(database, { actor, environment }, id)))
        throw new StartupError(`${environment.name} has no secret ${id}: see identity show.`)
      return { text: `Secret ${id} of ${environment.name} is revoked.`, json: { id } }
    })
  },
})
