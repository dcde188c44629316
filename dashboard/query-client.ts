import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

const FRESH_MS = 5000
const RETRIES = 1

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
    },
  },
})
