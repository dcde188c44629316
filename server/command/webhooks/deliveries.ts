import { waitReasons } from '../../../contract/deliveries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { AttemptRow } from '../../webhooks/deliveries/queries.ts'
import { listWaitingAndAttempts, type WaitingDelivery } from '../../webhooks/retry.ts'
import { command, UsageError } from '../command.ts'
import { findEnvironment } from '../environments/find.ts'
import { textTable } from '../text-table.ts'
import { withDatabase } from '../with-database.ts'
import { checkId, environmentOf, environmentOptions } from './options.ts'

export const webhooksDeliveries = command({
  summary: 'List the deliveries that wait, why they wait, and the latest attempts',
  parameters: [],
  options: {
    ...environmentOptions,
    subscription: { type: 'string', value: 'ID', description: 'only those of this subscription' },
  },
  async run({ config, options }) {
    const filter: { subscriptionId?: string } =
      options.subscription === undefined ? {} : { subscriptionId: checkId(options.subscription, 'subscription') }
    const deliveries = await withDatabase(config(), async (database) => {
      const id = await chosenEnvironment(database, options, filter.subscriptionId)
      return await listWaitingAndAttempts(database, id, filter)
    })
    const nothing = deliveries.is_complete ? undefined : 'Nothing was found yet.'
    const text = [
      'Waiting, the earliest first:',
      textTable(deliveries.waiting, waitingColumns, nothing ?? 'Nothing waits.'),
      '',
      'Attempts, the latest first:',
      textTable(deliveries.attempts, attemptColumns, nothing ?? 'Nothing was tried yet.'),
      ...(deliveries.is_complete ? [] : ['', INCOMPLETE]),
    ].join('\n')
    return { text, json: deliveries }
  },
})

const INCOMPLETE =
  'The list is not complete: a user or group with very many notifications is being deleted. Run it again in a few minutes.'

async function chosenEnvironment(
  database: Database,
  options: { environment: string | undefined; account: string | undefined },
  subscriptionId: string | undefined,
): Promise<EnvironmentId> {
  if (subscriptionId !== undefined) return await environmentOf(database, subscriptionId, options)
  if (options.environment === undefined) throw new UsageError('Say which deliveries: --environment or --subscription.')
  return (await findEnvironment(database, options.environment, options.account)).id
}

const waitingColumns = {
  subscription: (row: WaitingDelivery) => row.subscription_id,
  notification: (row: WaitingDelivery) => row.notification_id,
  topic: (row: WaitingDelivery) => row.topic,
  attempts: (row: WaitingDelivery) => row.attempt,
  state: (row: WaitingDelivery) => row.state,
  due: (row: WaitingDelivery) => row.due_at,
  why: (row: WaitingDelivery) => waitReasons[row.reason],
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
