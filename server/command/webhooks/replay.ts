import { count, counted } from '../../counted.ts'
import { StartupError } from '../../startup-error.ts'
import { replayDeliveries } from '../../webhooks/replay.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOf, environmentOptions, parseTime } from './options.ts'

export const webhooksReplay = command({
  summary: 'Send the notifications of a time range to a subscription again',
  parameters: ['SUBSCRIPTION'],
  options: {
    ...environmentOptions,
    since: {
      type: 'string',
      value: 'TIME',
      description: 'from when: a date-time, or how long ago, such as 2h',
      required: true,
    },
    until: { type: 'string', value: 'TIME', description: 'until when; now unless it is given' },
    'dry-run': { type: 'boolean', description: 'only count them' },
  },
  async run({ config, options, parameters: [subscription] }) {
    const request = {
      subscriptionId: checkId(subscription, 'subscription'),
      since: parseTime(options.since, 'since'),
      dryRun: options['dry-run'],
      ...(options.until !== undefined && { until: parseTime(options.until, 'until') }),
    }
    const result = await withDatabase(config(), async (database) => {
      const id = await environmentOf(database, request.subscriptionId, options)
      return await replayDeliveries(database, id, request)
    })
    if (!result) throw new StartupError(`There is no subscription ${subscription} in this environment.`)
    return { text: describe(result, request.dryRun), json: { ...result, dry_run: request.dryRun } }
  },
})

function describe({ matching, written }: { matching: number; written: number }, dryRun: boolean): string {
  if (dryRun) return `${counted(matching, 'notification')} would be sent again.`
  const rest = written < matching ? `; ${count(matching - written)} waited already` : ''
  return `${count(written)} of ${counted(matching, 'notification')} will be sent again${rest}.`
}
