import { createSecret } from '../../sdk/identity.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const identityCreateSecret = command({
  summary: 'Create a secret that signs identities, and print it, this once; two may be live',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const created = await createSecret(database, await openSecretBox(config(), database), { actor, environment })
      return {
        text: created.secret,
        json: created,
        hint: `Secret ${created.id} of ${environment.name}. It is not shown again. Keep it in your back end.`,
      }
    })
  },
})
