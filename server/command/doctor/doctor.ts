import type { Config } from '../../config.ts'
import { checkDataFolder } from '../../doctor/data-folder.ts'
import { type Finding, ok, problem } from '../../doctor/finding.ts'
import { checkRuntime } from '../../doctor/runtime.ts'
import { checkSecretKey, checkWebhookTargets } from '../../doctor/settings.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { alignColumns } from '../text-table.ts'
import { checkDatabase } from './database.ts'

/** Checks the installation and changes nothing. An embedded PostgreSQL that is not running is started and stopped again. */
export const doctor = command({
  summary: 'Check the installation, and say what to do about what is wrong',
  parameters: [],
  options: {},
  async run({ config }) {
    const findings = [await checkRuntime(), ...(await checkInstallation(config))]
    const failed = findings.some(({ status }) => status === 'problem')
    return { text: describe(findings, failed), json: { ok: !failed, findings }, failed }
  },
})

async function checkInstallation(readConfig: () => Config): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [problem('settings', error.message, 'Change that setting; README.md has the table of all settings.')]
  }
  const settings = [ok('settings', 'all can be read'), checkWebhookTargets(config), checkSecretKey(config)]
  if (config.databaseUrl !== undefined) return [...settings, ...(await checkDatabase(config))]
  const { findings, holdsDatabase } = await checkDataFolder(config.dataDir)
  return [...settings, ...findings, ...(holdsDatabase ? await checkDatabase(config) : [])]
}

function describe(findings: readonly Finding[], failed: boolean): string {
  const table = alignColumns(findings.map(({ check, status, finding }) => [status.toUpperCase(), check, finding]))
  const advice = findings.flatMap(({ check, advice: text }) => (text === undefined ? [] : [`  ${check}: ${text}`]))
  const verdict = failed ? 'Something is wrong.' : 'Nothing is wrong.'
  return [table, '', ...(advice.length > 0 ? ['What to do:', ...advice, ''] : []), verdict].join('\n')
}
