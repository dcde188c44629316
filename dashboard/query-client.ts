import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const FRESH_MS = 5000
const RETRIES = 1

/** Set by the router: a lost session leads to sign-in and back. */
let onSessionLost: () => void = () => undefined
export function whenSessionIsLost(lead: () => void): void {
  onSessionLost = lead
}

export function whenLost(error: Error): void {
  if (error instanceof ApiError && error.code === 'not_signed_in') onSessionLost()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: whenLost }),
  mutationCache: new MutationCache({ onError: whenLost }),
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
    },
  },
})
