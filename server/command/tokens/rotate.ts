import { sdkLimits } from '../../../contract/sdk/limits.ts'
import { rotateToken } from '../../sdk/tokens.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { findToken } from './find.ts'

export const tokensRotate = command({
  summary: `Exchange a public token, by its id or as it is, and print the new one; both work for ${sdkLimits.rotatedTokenDays} days`,
  parameters: ['TOKEN'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const found = await findToken(database, environment, text as string)
      const rotated = await rotateToken(database, { actor, environment }, found.id)
      if (!rotated) throw new StartupError(`Token ${found.id} of ${environment.name} is revoked, or ends already.`)
      const { id, token, name, created_at } = rotated
      return {
        text: token,
        json: { id, token, name, environment: environment.name, created_at },
        hint: `Token ${found.id} works for ${sdkLimits.rotatedTokenDays} days more. Put the new one on your pages.`,
      }
    })
  },
})
