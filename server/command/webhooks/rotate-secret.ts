import { limits } from '../../../contract/limits.ts'
import { listEnvironments } from '../../accounts/environment-queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { readClock } from '../../database/clock.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { ApiError } from '../../errors.ts'
import { openSharedSecrets } from '../../secrets/open-box.ts'
import { StartupError } from '../../startup-error.ts'
import { lockSubscriptions, updateSubscription } from '../../subscriptions/queries.ts'
import { newRotation, rotated } from '../../subscriptions/requested.ts'
import { command, UsageError } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOf, environmentOptions, parseDuration } from './options.ts'

export const webhooksRotateSecret = command({
  summary: 'Make a new secret for a subscription; the old one still signs for a time',
  parameters: ['SUBSCRIPTION'],
  options: {
    ...environmentOptions,
    overlap: {
      type: 'string',
      value: 'TIME',
      description: 'how long the old secret still signs: 24h unless given; 0m ends it',
    },
  },
  async run({ config, options, parameters: [subscription] }) {
    const id = checkId(subscription, 'subscription')
    const seconds = parseDuration(options.overlap ?? '24h', 'overlap') / 1000
    if (seconds > limits.secretOverlapSeconds)
      throw new UsageError(`--overlap is at most ${limits.secretOverlapSeconds / 86_400}d.`)
    const settings = config()
    const rotation = await withDatabase(settings, async (database) => {
      const clock = await readClock(database)
      const requested = newRotation(id, seconds, clock())
      const environmentId = await environmentOf(database, id, options)
      const secrets = await openSharedSecrets(settings, database)
      const environment = (await listEnvironments(database)).find((row) => row.id === environmentId)
      const result = await inTransaction(database, async (transaction) => {
        const [current] = await lockSubscriptions(transaction, environmentId, [id])
        const row = rotated(environmentId, current, requested, secrets)
        if (row instanceof ApiError) return row
        await updateSubscription(transaction, environmentId, row)
        if (environment)
          await record(transaction, commandActor(environment.account_id), {
            action: 'endpoint.secret_rotated',
            target: { id },
            environment: environment.slug,
          })
        return row
      })
      if (result instanceof ApiError) throw new StartupError(result.message)
      return requested
    })
    const old_secret_expires_at = rotation.oldExpiresAt?.toISOString() ?? null
    return {
      text: rotation.secret,
      json: { id, secret: rotation.secret, old_secret_expires_at },
      hint: `The old secret ${old_secret_expires_at ? `still signs until ${old_secret_expires_at}` : 'has ended'}.`,
    }
  },
})
