import type { AttemptRow, WaitingRow } from '../../webhooks/command-queries.ts'
import { listDeliveries } from '../../webhooks/commands.ts'
import { command } from '../command.ts'
import { findEnvironment } from '../environments/find.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOptions } from './options.ts'

export const webhooksDeliveries = command({
  summary: 'List the deliveries that wait, and the latest attempts',
  parameters: [],
  options: {
    ...environmentOptions,
    subscription: { type: 'string', value: 'ID', description: 'only those of this subscription' },
  },
  async run({ config, options }) {
    const filter =
      options.subscription === undefined ? {} : { subscriptionId: checkId(options.subscription, 'subscription') }
    const deliveries = await withDatabase(config(), async (database) => {
      const { id } = await findEnvironment(database, options.environment, options.account)
      return await listDeliveries(database, id, filter)
    })
    const text = [
      'Waiting, the earliest first:',
      textTable(deliveries.waiting, waitingColumns, 'Nothing waits.'),
      '',
      'Attempts, the latest first:',
      textTable(deliveries.attempts, attemptColumns, 'Nothing was tried yet.'),
    ].join('\n')
    return { text, json: deliveries }
  },
})

const waitingColumns = {
  subscription: (row: WaitingRow) => row.subscription_id,
  notification: (row: WaitingRow) => row.notification_id,
  topic: (row: WaitingRow) => row.topic,
  attempts: (row: WaitingRow) => row.attempt,
  due: (row: WaitingRow) => row.due_at,
}

const attemptColumns = {
  at: (row: AttemptRow) => row.at,
  subscription: (row: AttemptRow) => row.subscription_id,
  notification: (row: AttemptRow) => row.notification_id,
  attempt: (row: AttemptRow) => row.attempt,
  outcome: (row: AttemptRow) => row.failure ?? row.status,
  ms: (row: AttemptRow) => Math.round(row.total_ms),
  next: (row: AttemptRow) => row.next_attempt_at,
}
