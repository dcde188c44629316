import { DURATION_RULE, durationMs, durationWords, isDuration } from '../../../contract/conditions/duration.ts'
import { dashboardLimits } from '../../../contract/dashboard/limits.ts'
import { findGuidance, type GuidanceChange } from '../../content/guidance-queries.ts'
import { changeGuidance } from '../../content/settings.ts'
import { readClock } from '../../database/clock.ts'
import { createServices } from '../../services.ts'
import type { Config } from '../../settings/config.ts'
import { command, UsageError, type Values } from '../command.ts'
import { inEnvironment, inEnvironmentOptions } from '../environments/option.ts'
import { commandLog } from '../log.ts'

/** The settings of guided flows that no key of the API may change: they are for operators, and in the dashboard. */

async function change(config: Config, options: Values<typeof inEnvironmentOptions>, job: GuidanceChange) {
  return await inEnvironment(config, options, async ({ database, environment, actor }) => {
    const { commits } = createServices(database, commandLog, { now: await readClock(database) })
    const row = await commits.submit(changeGuidance, environment.id, {
      job,
      origin: { actor, environment: environment.slug },
    })
    return { name: environment.name, json: { is_off: row.is_off, quiet_seconds: Number(row.quiet_ms) / 1000 } }
  })
}

export const guidanceShow = command({
  summary: 'Show whether the content of an environment is switched on, and its quiet period',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    return await inEnvironment(config(), options, async ({ database, environment }) => {
      const row = await findGuidance(database, environment.id)
      const json = { is_off: row?.is_off ?? false, quiet_seconds: Number(row?.quiet_ms ?? 0) / 1000 }
      const state = json.is_off ? `off since ${row?.switched_at}, by ${row?.switched_by}` : 'on'
      return { text: `content: ${state}\nquiet period: ${json.quiet_seconds} seconds`, json }
    })
  },
})

export const guidanceOff = command({
  summary: 'Switch all content of an environment off: nothing starts until it is on again',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    const { name, json } = await change(config(), options, { isOff: true })
    return { text: `${name}: no content is shown any more.`, json }
  },
})

export const guidanceOn = command({
  summary: 'Switch the content of an environment on again',
  parameters: [],
  options: inEnvironmentOptions,
  async run({ config, options }) {
    const { name, json } = await change(config(), options, { isOff: false })
    return { text: `${name}: content is shown again.`, json }
  },
})

export const guidanceQuiet = command({
  summary: 'Set for how long no flow starts by itself after one has ended: a duration such as 10m or 1d, or 0',
  parameters: ['DURATION'],
  options: inEnvironmentOptions,
  async run({ config, parameters: [text], options }) {
    const quietMs = text === '0' ? 0 : isDuration(text) ? durationMs(text) : Number.NaN
    if (!(quietMs <= dashboardLimits.quietSeconds * 1000))
      throw new UsageError(`"${text}" is no quiet period: it ${DURATION_RULE}, at most a year, or 0.`)
    const { name, json } = await change(config(), options, { quietMs })
    const meaning =
      quietMs === 0 ? 'a flow may start right after another' : `no flow starts for ${durationWords(text)} after another`
    return { text: `${name}: ${meaning}.`, json }
  },
})
