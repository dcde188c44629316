import { StartupError } from '../../startup-error.ts'
import { sendTestNotification } from '../../webhooks/commands.ts'
import { command } from '../command.ts'
import { findEnvironment } from '../environments/find.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOptions } from './options.ts'

export const webhooksTest = command({
  summary: 'Send a test notification to a subscription',
  parameters: ['SUBSCRIPTION'],
  options: environmentOptions,
  async run({ config, options, parameters: [subscription] }) {
    const subscriptionId = checkId(subscription, 'subscription')
    const notificationId = await withDatabase(config(), async (database) => {
      const { id } = await findEnvironment(database, options.environment, options.account)
      return await sendTestNotification(database, id, subscriptionId)
    })
    if (notificationId === undefined)
      throw new StartupError(`There is no subscription ${subscription} in this environment.`)
    return {
      text: notificationId,
      json: { notification_id: notificationId },
      hint: 'A running server sends it at once; webhooks deliveries shows what came of it.',
    }
  },
})
