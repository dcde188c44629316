import type { LiveRequest } from '../../contract/dashboard/live.ts'
import type { Grant } from '../accounts/keyring.ts'
import type { EnvironmentId } from '../database/database.ts'
import { type Exchange, OBSERVED_CHARACTERS } from '../http/exchange.ts'

/** Requests without a known key belong to no environment. They are kept under this number. */
export const NO_ENVIRONMENT = 0 as EnvironmentId

/** A request with its bodies. Kept in memory only. */
export interface LiveRecord {
  request: LiveRequest
  address: string
  requestText: string
  requestBytes: number
  answerText: string
  answerBytes: number
}

const MOST_TEXT = 300

/** A refused body may have any value in each field. */
interface GivenBody {
  id?: unknown
  name?: unknown
  user_id?: unknown
  group_id?: unknown
  operations?: unknown
}

export function recordOf(
  exchange: Exchange,
  operation: string | null,
  grant: Grant | undefined,
  address: string,
  now: number,
): LiveRecord {
  const { bytes, answer, failure, params } = exchange
  const body = (exchange.body ?? {}) as GivenBody
  const batch = operation === 'runBatch' ? operationsOf(body) : undefined
  const ownId = operation === 'upsertUser' || operation === 'upsertGroup' ? textOrNull(body.id) : null
  return {
    request: {
      id: exchange.id,
      at: new Date(now).toISOString(),
      method: exchange.method.slice(0, 20),
      url: beginningOf(exchange.url),
      operation: operation === 'unknown' ? null : operation,
      status: exchange.response.statusCode,
      code: failure?.code ?? null,
      field: textOrNull(failure?.param),
      message: textOrNull(failure?.message),
      duration_ms: Math.round(exchange.elapsedMs * 10) / 10,
      key_id: grant?.keyId ?? null,
      key_name: null,
      user_id: textOrNull(params.user_id) ?? (operation === 'upsertUser' ? ownId : textOrNull(body.user_id)),
      group_id: textOrNull(params.group_id) ?? (operation === 'upsertGroup' ? ownId : textOrNull(body.group_id)),
      event_name: operation === 'trackEvent' ? textOrNull(body.name) : firstEventName(batch),
      operations: batch?.length ?? null,
      is_replay: exchange.isReplay,
    },
    address,
    requestText: bytes?.toString('utf8', 0, OBSERVED_CHARACTERS) ?? '',
    requestBytes: bytes?.length ?? 0,
    answerText: beginningOf(answer, OBSERVED_CHARACTERS),
    answerBytes: exchange.answerBytes,
  }
}

/** Also when a text is cut inside of a secret. */
export function withoutSecrets(record: LiveRecord, fields: readonly string[]): LiveRecord {
  let { requestText, answerText } = record
  for (const field of fields) {
    const secret = new RegExp(`"${field}"\\s*:\\s*"[^"]*"?`, 'g')
    requestText = requestText.replaceAll(secret, `"${field}":"(hidden)"`)
    answerText = answerText.replaceAll(secret, `"${field}":"(hidden)"`)
  }
  return { ...record, requestText, answerText }
}

function operationsOf({ operations }: GivenBody): readonly unknown[] {
  return Array.isArray(operations) ? operations : []
}

function firstEventName(operations: readonly unknown[] = []): string | null {
  for (const each of operations) {
    const { path, body } = (each ?? {}) as { path?: unknown; body?: GivenBody | null }
    if (path === '/events') return textOrNull(body?.name)
  }
  return null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? beginningOf(value) : null
}

/** A copy: a slice would keep the whole text in memory, and a refused body may have one of 10 MiB. */
function beginningOf(text: string, most = MOST_TEXT): string {
  return Buffer.from(text.slice(0, most)).toString()
}
