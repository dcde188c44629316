import { type IdentitySetting, identitySettings } from '../../../contract/sdk/identity.ts'
import { setIdentity } from '../../sdk/identity.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { command, UsageError } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'

export const identitySet = command({
  summary: 'Set whether pages must prove who their user is: off, report or required',
  parameters: ['SETTING'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    const setting = identitySettings.find((one) => one === text)
    if (!setting) throw new UsageError(`"${text}" is no setting: write one of ${identitySettings.join(', ')}.`)
    return await inEnvironment(config(), options, async ({ database, environment, actor }) => {
      await setIdentity(database, await openSecretBox(config(), database), { actor, environment }, setting)
      return { text: `${environment.name}: ${meanings[setting]}`, json: { identity: setting } }
    })
  },
})

const meanings: Record<IdentitySetting, string> = {
  off: 'signatures of pages are ignored.',
  report: 'signatures of pages are checked, and pages without one are counted.',
  required: 'pages without a good signature are refused.',
}
