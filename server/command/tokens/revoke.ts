import { revokeToken } from '../../sdk/tokens.ts'
import { command } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { findToken } from './find.ts'

export const tokensRevoke = command({
  summary: 'Revoke a public token, by its id or as it is; it stops within a second',
  parameters: ['TOKEN'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      const found = await findToken(database, environment, text as string)
      const revoked = await revokeToken(database, { actor, environment }, found.id)
      const name = `Token ${found.id} of ${environment.name}`
      return {
        text: revoked ? `${name} is revoked.` : `${name} was revoked before.`,
        json: revoked ?? found,
      }
    })
  },
})
