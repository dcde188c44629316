import type { RequestOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** One operation of a batch. */
export interface BatchOperation {
  method: 'POST' | 'DELETE'
  /** `/users`, `/groups`, `/events`, `/users/u_1` … */
  path: string
  body?: object
  idempotency_key?: string
}

export interface BatchResult {
  status: number
  body: unknown
}

export interface BatchOptions extends RequestOptions {
  /** All operations are stored, or none. */
  atomic?: boolean
  /** False suppresses the webhooks, for backfills. */
  notify?: boolean
}

/** Up to 1,000 operations in one request, applied in order; one result each, in order. */
export async function sendBatch(
  transport: Transport,
  operations: readonly BatchOperation[],
  { atomic, notify, ...options }: BatchOptions = {},
): Promise<BatchResult[]> {
  const body = { operations, ...(atomic !== undefined && { atomic }), ...(notify !== undefined && { notify }) }
  const { results } = await transport.request<{ results: BatchResult[] }>(
    { method: 'POST', path: '/batch', body },
    options,
  )
  return results
}
