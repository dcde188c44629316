import { StartupError } from '../../startup-error.ts'
import { findSubscription } from '../../subscriptions/queries.ts'
import type { DeliveryView } from '../../webhooks/deliveries/deliveries.ts'
import { deliveryObject } from '../../webhooks/render.ts'
import { testSubscription } from '../../webhooks/test-notification.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOf, environmentOptions } from './options.ts'

const WAIT_MS = 16_000

export const webhooksTest = command({
  summary: 'Send a test notification to a subscription, and wait for the outcome',
  parameters: ['SUBSCRIPTION'],
  options: environmentOptions,
  async run({ config, options, parameters: [subscription] }) {
    const subscriptionId = checkId(subscription, 'subscription')
    const view = await withDatabase(config(), async (database) => {
      const id = await environmentOf(database, subscriptionId, options)
      const found = await findSubscription(database, id, subscriptionId)
      if (found?.disabled) throw new StartupError(`The subscription ${subscription} is disabled. Enable it first.`)
      return found && (await testSubscription(database, id, found, WAIT_MS))
    })
    if (!view) throw new StartupError(`There is no subscription ${subscription} in this environment.`)
    return {
      text: `${view.notificationId}: ${outcomeOf(view)}`,
      json: { notification_id: view.notificationId, ...deliveryObject(subscriptionId, view) },
      failed: view.state !== 'delivered',
    }
  },
})

function outcomeOf({ lastAttempt, state }: DeliveryView): string {
  if (!lastAttempt) return 'not sent within 16 s; is a server running?'
  const { status, failure, total_ms } = lastAttempt
  return `${state}, ${failure ?? `the receiver answered ${status}`}, ${Math.round(total_ms)} ms`
}
