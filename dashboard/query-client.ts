import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const FRESH_MS = 5000
const RETRIES = 1
const AWAY_MS = 3000

/** The server was not reached, or a proxy says so. */
const isAway = (error: Error | null) => error instanceof ApiError && [0, 502, 504].includes(error.status)

export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      // A server on this machine or in the local network answers while the browser counts as offline. By default queries
      // would wait for an `online` event, and the page would stay empty.
      networkMode: 'always',
      staleTime: FRESH_MS,
      // A refusal is not retried. A failure of the server or the network is.
      retry: (failures, error) =>
        failures < RETRIES && !(error instanceof ApiError && error.status > 0 && error.status < 500),
      retryDelay: 400,
      // What could not be loaded while the server was away is shown when it is back. Nobody has to ask for it.
      refetchInterval: ({ state: { data, error } }) => (data === undefined && isAway(error) ? AWAY_MS : false),
    },
  },
})
