import { counted } from '../../counted.ts'
import { byItself } from '../../doctor/by-itself.ts'
import { checkDataFolder } from '../../doctor/data-folder.ts'
import { type Finding, ok, problem } from '../../doctor/finding.ts'
import { checkRuntime } from '../../doctor/runtime.ts'
import { checkSecretKey, checkWebhookTargets } from '../../doctor/settings.ts'
import { checkTls } from '../../doctor/tls.ts'
import type { Config } from '../../settings/config.ts'
import { StartupError, StartupErrors } from '../../startup-error.ts'
import { command } from '../command.ts'
import { alignColumns } from '../text-table.ts'
import { checkDatabase } from './database.ts'

/** Checks the installation. It only reads. */
export const doctor = command({
  summary: 'Check the installation, and say what to do about what is wrong',
  parameters: [],
  options: {},
  async run({ config }) {
    const findings = [...(await byItself('runtime', checkRuntime)), ...(await checkInstallation(config))]
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
    const messages = error instanceof StartupErrors ? error.messages : [error.message]
    const advice = 'Change that setting; README.md has the table of all settings.'
    return messages.map((message) => problem('settings', message, advice))
  }
  const readable = ok('settings', 'all can be read')
  const settings = [
    readable,
    checkWebhookTargets(config),
    ...(await byItself('secrets', () => checkSecretKey(config))),
    ...checkTls(config),
  ]
  if (config.databaseUrl !== undefined) return [...settings, ...(await checkDatabase(config))]
  const { findings, holdsDatabase } = await checkDataFolder(config.dataDir)
  return [...settings, ...findings, ...(holdsDatabase ? await checkDatabase(config) : [])]
}

function describe(findings: readonly Finding[], failed: boolean): string {
  const table = alignColumns(findings.map(({ check, status, finding }) => [status.toUpperCase(), check, finding]))
  const lines = findings.flatMap(({ check, advice: text }) => (text === undefined ? [] : [`  ${check}: ${text}`]))
  // Several wrong settings have one advice.
  const advice = [...new Set(lines)]
  return [table, '', ...(advice.length > 0 ? ['What to do:', ...advice, ''] : []), verdictOf(findings, failed)].join(
    '\n',
  )
}

function verdictOf(findings: readonly Finding[], failed: boolean): string {
  if (failed) return 'Something is wrong.'
  const warnings = findings.filter(({ status }) => status === 'warning').length
  return warnings === 0 ? 'Nothing is wrong.' : `It works. ${counted(warnings, 'warning')}: see above.`
}
