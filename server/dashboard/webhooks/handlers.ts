import type { Endpoint } from '../../../contract/dashboard/webhooks.ts'
import type { Origin } from '../../audit/record.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import { type ChangeSubscriptionJob, creation, removal, rotation, update } from '../../subscriptions/changes.ts'
import { findSubscription, type SubscriptionRow } from '../../subscriptions/queries.ts'
import { changedFields, newRotation, requestedSubscription } from '../../subscriptions/requested.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from '../call.ts'
import { roleRight } from '../member-rules.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { countDeliveries } from './counts.ts'
import { listEndpoints } from './health.ts'

type Names = 'listEndpoints' | 'createEndpoint' | 'getEndpoint' | 'updateEndpoint' | 'deleteEndpoint' | 'rotateSecret'

interface ChangingCall {
  grant: MemberCaller
  environment: { id: EnvironmentId }
}

/** The old secret still signs for a day, as when it is rotated by the API. */
const OLD_SECRET_SECONDS = 24 * 60 * 60

/** Webhook endpoints. They change through the commit queue, like those of the public API. */
export function endpointHandlers({ services }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, commits, secrets, webhooks } = services
  const change = <Result>({ environment, grant }: ChangingCall, job: ChangeSubscriptionJob<Result>) =>
    commits.submit(services.changesOf<Result>(), environment.id, { ...job, right: roleRight(grant, 'admin') })

  const checkUrl = async (url: string) => {
    const problem = await webhooks.urlProblem(url)
    if (problem !== undefined) throw errors.invalidParams([`url: ${problem}`])
  }
  const read = async (id: EnvironmentId, endpointId: string): Promise<Endpoint> => {
    const endpoint = (await listEndpoints(database, id)).find((one) => one.id === endpointId)
    if (!endpoint) throw errors.gone('Endpoint', endpointId)
    return endpoint
  }

  return {
    listEndpoints: async ({ environment }) => ({ data: await listEndpoints(database, environment.id) }),

    createEndpoint: async (call) => {
      const { environment, body } = call
      await checkUrl(body.url)
      const created = await change(call, creation(requestedSubscription(body), originOf(call), secrets))
      return { ...(await read(environment.id, created.id)), secret: created.secret }
    },

    getEndpoint: async ({ environment, params }) => {
      const endpoint = await read(environment.id, params.endpoint_id)
      return { endpoint, states: await countDeliveries(database, environment.id, endpoint) }
    },

    updateEndpoint: async (call) => {
      const { environment, params, body } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      if (body.url) await checkUrl(body.url)
      await change(call, update(endpoint.id, changedFields(body), originOf(call)))
      return await read(environment.id, endpoint.id)
    },

    deleteEndpoint: async (call) => {
      const { environment, params } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      await change(call, removal(endpoint.id, originOf(call)))
      return DONE
    },

    rotateSecret: async (call) => {
      const { environment, params } = call
      const endpoint = await findEndpoint(database, environment.id, params.endpoint_id)
      const requested = newRotation(endpoint.id, OLD_SECRET_SECONDS, services.now())
      await change(call, rotation(requested, originOf(call), secrets))
      return { ...(await read(environment.id, endpoint.id)), secret: requested.secret }
    },
  }
}

/** The endpoint with this id in the environment. */
export async function findEndpoint(
  database: DashboardParts['services']['database'],
  environmentId: EnvironmentId,
  text: string,
): Promise<SubscriptionRow> {
  const id = uuidOf(text)
  const row = id === undefined ? undefined : await findSubscription(database, environmentId, id)
  if (!row) throw errors.gone('Endpoint', text)
  return row
}

function originOf(call: { grant: MemberCaller; exchange: { id: string }; environment: { slug: string } }): Origin {
  return { actor: actorOf(call), environment: call.environment.slug }
}
