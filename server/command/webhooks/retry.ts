import { StartupError } from '../../startup-error.ts'
import { type RetryResult, retryDelivery } from '../../webhooks/retry.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOf, environmentOptions } from './options.ts'

const messages: Record<Exclude<RetryResult, 'not found'>, string> = {
  'due now': 'The delivery is due now; a running server sends it at once.',
  'being sent': 'The delivery is being sent this moment.',
  'sent again': 'The delivery was finished, and is created again; a running server sends it at once.',
}

export const webhooksRetry = command({
  summary: 'Try a delivery again now',
  parameters: ['SUBSCRIPTION', 'NOTIFICATION'],
  options: environmentOptions,
  async run({ config, options, parameters: [subscription, notification] }) {
    const subscriptionId = checkId(subscription, 'subscription')
    const notificationId = checkId(notification, 'notification')
    const result = await withDatabase(config(), async (database) => {
      const id = await environmentOf(database, subscriptionId, options)
      return await retryDelivery(database, id, subscriptionId, notificationId)
    })
    if (result === 'not found')
      throw new StartupError('There is no such delivery in this environment: see webhooks deliveries.')
    return { text: messages[result], json: { result } }
  },
})
