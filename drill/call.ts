import { checkAnswer } from '../test/support/response-schemas.ts'
import type { Outcome } from './answers.ts'
import type { DrillRequest, Piece } from './requests.ts'

export interface Target {
  url: string
  key: string
}

export interface Answer {
  status: number
  text: string
  isReplay: boolean
  body: unknown
}

/** One try. Returns undefined after a time-out or a broken connection. */
export async function tryOnce(
  target: Target,
  { method, path, body }: DrillRequest,
  idempotencyKey: string | undefined,
  timeoutMs: number,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(target.url + path, {
      method,
      headers: {
        authorization: `Bearer ${target.key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, headers } = response
    const text = await response.text()
    const checked = checkAnswer(method, path, { status, headers: Object.fromEntries(headers), text })
    return { status, text, isReplay: headers.get('idempotent-replayed') === 'true', body: checked }
  } catch (error) {
    // fetch throws a TypeError when the connection breaks.
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return undefined
    throw error
  }
}

interface Result {
  status: number
  body: { id?: string; error?: { message: string } }
}

const NOT_KNOWN = /not known/

/** What an answer says of each piece of its request. */
export function outcomesOf({ path, pieces }: DrillRequest, answer: Answer | undefined): Outcome[] {
  if (!answer) return pieces.map(() => ({ kind: 'unknown' }))
  const whole = answer as Result
  const results =
    path === '/batch' && answer.status === 200 ? (answer.body as { results: Result[] }).results : undefined
  return pieces.map((_: Piece, index) => outcomeOf(results?.[index] ?? whole))
}

function outcomeOf({ status, body }: Result): Outcome {
  if (status === 200) return { kind: 'stored', id: String(body.id) }
  return NOT_KNOWN.test(body.error?.message ?? '') ? { kind: 'unknown' } : { kind: 'refused', status }
}
