import type { Replay } from '../../../contract/dashboard/webhooks.ts'
import { readDateTime } from '../../../contract/datetime.ts'
import { record } from '../../audit/record.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { errors } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { SubscriptionRow } from '../../subscriptions/queries.ts'
import { actorOf, type DashboardHandlers } from '../call.ts'
import { confirmRole } from '../member-rules.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { findEndpoint } from './handlers.ts'
import { countReplay, type ReplayOf, runReplay } from './replay.ts'
import { endReplay, findReplay, insertReplay, listReplays, type ReplayRow } from './replay-queries.ts'

type Names = 'countReplay' | 'listReplays' | 'startReplay' | 'cancelReplay'

/** A portion takes far less. After this long its process is considered dead. */
const STOPPED_MS = 30_000

/** What happened in a time range, sent to an endpoint again. */
export function replayHandlers({ services: { database }, log }: DashboardParts): Pick<DashboardHandlers, Names> {
  return {
    countReplay: async ({ environment, params, query, exchange }) => {
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      return await countReplay(database, replayOf(environment.id, endpoint, query), exchange.signal())
    },

    listReplays: async ({ environment, params }) => {
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      return { data: (await listReplays(database, environment.id, endpoint.id)).map(replayOutput) }
    },

    startReplay: async (call) => {
      const { environment, params, body, grant } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const replay = replayOf(environment.id, endpoint, body)
      const { count: total } = await countReplay(database, replay)
      const [since, until] = [replay.since.toISOString(), replay.until.toISOString()]
      const now = Date.now()
      const times = { since, until, started_at: new Date(now).toISOString() }
      const row = { id: newId(now), subscription_id: endpoint.id, total, started_by: grant.session.name, ...times }
      await inTransaction(database, async (transaction) => {
        await confirmRole(transaction, grant, 'member')
        await insertReplay(transaction, environment.id, row)
        await record(transaction, actorOf(call), {
          action: 'endpoint.replay_started',
          target: { id: endpoint.id, name: endpoint.url },
          environment: environment.slug,
          after: { since, until, total },
        })
      })
      void runReplay(database, log, row.id, replay)
      return replayOutput({ ...row, state: 'running', done: 0, written: 0, alive_at: row.started_at })
    },

    cancelReplay: async (call) => {
      const { environment, params, grant } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const id = uuidOf(params.replay_id)
      const before = id && (await findReplay(database, environment.id, endpoint.id, id))
      if (!before) throw errors.gone('Replay', params.replay_id)
      await inTransaction(database, async (transaction) => {
        await confirmRole(transaction, grant, 'member')
        if (!(await endReplay(transaction, environment.id, endpoint.id, before.id, 'cancelled'))) return
        await record(transaction, actorOf(call), {
          action: 'endpoint.replay_cancelled',
          target: { id: endpoint.id, name: endpoint.url },
          environment: environment.slug,
        })
      })
      return replayOutput((await findReplay(database, environment.id, endpoint.id, before.id)) as ReplayRow)
    },
  }
}

function replayOf(
  environmentId: EnvironmentId,
  { id, topics }: SubscriptionRow,
  range: { since: string; until?: string },
): ReplayOf {
  const since = timeOf(range.since)
  const until = range.until === undefined ? new Date() : timeOf(range.until)
  if (since >= until) throw errors.invalidParams(['until: must be after since'])
  return { environmentId, subscriptionId: id, topics, since, until }
}

/** The text has passed its schema. */
function timeOf(text: string): Date {
  return new Date(readDateTime(text)?.milliseconds ?? 0)
}

/** A running replay without progress has lost its process. Its written deliveries are sent, and it can be started again. */
function replayOutput({ alive_at, state, subscription_id, ...row }: ReplayRow): Replay {
  const isStopped = state === 'running' && Date.now() - Date.parse(alive_at) > STOPPED_MS
  return { ...row, state: isStopped ? 'stopped' : state }
}
