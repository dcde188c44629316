import { createToken } from '../../sdk/tokens.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const tokensCreate = command({
  summary: 'Create a public token, for pages of your application, and print it',
  parameters: [],
  options: {
    ...inEnvironmentOptions,
    name: { type: 'string', value: 'NAME', description: 'what it is for' },
  },
  async run({ config, options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const box = await openSecretBox(config(), database)
      const created = await createToken(database, box, { actor, environment }, options.name?.trim() ?? '')
      const { id, token, name, created_at } = created
      return {
        text: token,
        json: { id, token, name, environment: environment.name, created_at },
        hint: `Token ${id} of ${environment.name}. It may stand in the source of pages, and works under /sdk only.`,
      }
    })
  },
})
