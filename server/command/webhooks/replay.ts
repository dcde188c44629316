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
    const { matching, written } = result
    const text = request.dryRun
      ? `${matching} notifications would be sent again.`
      : `${written} of ${matching} notifications are sent again; the others were waiting already.`
    return { text, json: { ...result, dry_run: request.dryRun } }
  },
})
