import type { LiveRequestDetail } from '../../../contract/dashboard/live.ts'
import { type EnvironmentKey, listKeysOf, shownKey } from '../../accounts/key-queries.ts'
import { errors } from '../../errors.ts'
import type { LiveRecord } from '../../live/record.ts'
import { type DashboardHandlers, Raw } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { environmentsShownWith } from './environments.ts'
import { requestErrors } from './errors.ts'
import { liveStream } from './stream.ts'

type Names = 'watchLive' | 'getRequest' | 'listRequestErrors'

/** Requests as they arrive, one of them, and why requests were refused. */
export function liveHandlers({ services: { database, live } }: DashboardParts): Pick<DashboardHandlers, Names> {
  return {
    watchLive: async ({ environment, grant, exchange }) => {
      const member = { memberId: grant.session.id, accountId: grant.accountId }
      if (live.isFullFor(member)) throw errors.tooManyStreams()
      const environments = await environmentsShownWith(database, environment.id)
      const common = { database, live, environments, member, environmentId: environment.id }
      return new Raw({
        contentType: 'text/event-stream; charset=utf-8',
        // nginx would buffer the stream.
        headers: { 'x-accel-buffering': 'no' },
        body: liveStream({ ...common, token: grant.token, signal: exchange.signal() }),
        isEndless: true,
      })
    },

    getRequest: async ({ environment, params, grant }) => {
      const environments = await environmentsShownWith(database, environment.id)
      const found = await live.find(environments, params.request_id)
      if (!found) throw errors.gone('Request', params.request_id)
      const keys = await listKeysOf(database, environment.id)
      const key = keys.find(({ id }) => id === found.request.key_id)
      return detailOutput(found, key, grant.session.role === 'viewer')
    },

    listRequestErrors: async ({ environment }) => {
      const environments = await environmentsShownWith(database, environment.id)
      return await requestErrors(database, environment.id, environments)
    },
  }
}

/** Bodies may contain personal data. Viewers do not see them. */
function detailOutput(record: LiveRecord, key: EnvironmentKey | undefined, isHidden: boolean): LiveRequestDetail {
  const { request, address, requestText, requestBytes, answerText, answerBytes } = record
  const body = (text: string, bytes: number) => ({
    text: isHidden ? null : text,
    bytes,
    is_cut: Buffer.byteLength(text) < bytes,
    is_hidden: isHidden,
  })
  return {
    ...request,
    key_name: key?.name ?? null,
    key_shown: key ? shownKey(key) : null,
    address: isHidden ? null : address,
    request: body(requestText, requestBytes),
    answer: body(answerText, answerBytes),
  }
}
