import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import type { DeliveryStateName } from '../../contract/deliveries.ts'
import { call } from '../api.ts'
import { present } from '../search.ts'

export type Endpoint = Output<'listEndpoints'>['data'][number]
export type EndpointPage = Output<'getEndpoint'>
export type DeliveryRow = Output<'listDeliveries'>['data'][number]
export type Delivery = Output<'getDelivery'>
export type Attempt = Delivery['attempt_log'][number]
export type Replay = Output<'listReplays'>['data'][number]

const WATCH_MS = 3000

export const endpointsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'endpoints'],
    queryFn: ({ signal }) => call('listEndpoints', { environment }, signal),
  })

export const failingCount = ({ data }: Output<'listEndpoints'>): number =>
  data.filter(({ health }) => health.state === 'failing').length

export const endpointQuery = (environment: string, endpoint_id: string) =>
  queryOptions({
    queryKey: [environment, 'endpoints', endpoint_id],
    queryFn: ({ signal }) => call('getEndpoint', { environment, endpoint_id }, signal),
    refetchInterval: 5000,
  })

/** What of the deliveries of an endpoint is shown. */
export type DeliverySearch = {
  state?: DeliveryStateName | undefined
  /** Of a notification, a user or a group. */
  about?: string | undefined
  range?: '24h' | '7d' | '30d' | undefined
}

const HOURS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 }

export const deliveriesQuery = (environment: string, endpoint_id: string, search: DeliverySearch) =>
  infiniteQueryOptions({
    queryKey: [environment, 'endpoints', endpoint_id, 'deliveries', search],
    queryFn: ({ pageParam, signal }) => {
      const { state, about: id, range } = search
      const since = range && new Date(Date.now() - HOURS[range] * 3_600_000).toISOString()
      const query = present({ state, id, since, cursor: pageParam || undefined })
      return call('listDeliveries', { environment, endpoint_id, ...query }, signal)
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })

const FINAL: DeliveryStateName[] = ['delivered', 'given_up']

/** Polled until the delivery is finished. One on hold continues when its endpoint is enabled. */
export const deliveryQuery = (environment: string, endpoint_id: string, notification_id: string) =>
  queryOptions({
    queryKey: [environment, 'endpoints', endpoint_id, 'delivery', notification_id],
    queryFn: ({ signal }) => call('getDelivery', { environment, endpoint_id, notification_id }, signal),
    refetchInterval: ({ state }) => (state.data && FINAL.includes(state.data.state) ? false : WATCH_MS),
  })

const REPLAY_WATCH_MS: Partial<Record<Replay['state'], number>> = {
  running: 1000,
  // Its process was silent for a while, and may go on.
  stopped: 5000,
}

/** Polled until all replays are over, so that their progress survives a reload. */
export const replaysQuery = (environment: string, endpoint_id: string) =>
  queryOptions({
    queryKey: [environment, 'endpoints', endpoint_id, 'replays'],
    queryFn: ({ signal }) => call('listReplays', { environment, endpoint_id }, signal),
    refetchInterval: ({ state }) => {
      const watched = state.data?.data.flatMap((replay) => REPLAY_WATCH_MS[replay.state] ?? []) ?? []
      return watched.length > 0 && Math.min(...watched)
    },
  })
