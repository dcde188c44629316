import type * as edit from '../../../contract/sdk/edit.ts'
import type * as protocol from '../../../contract/sdk/protocol.ts'
import { toJson } from '../json.ts'
import { warnOnce } from '../safely.ts'
import type { Refusal } from './refused.ts'

/** Each call with its body and its answer. */
export interface CallTypes {
  identify: [protocol.IdentifyRequest, protocol.IdentifyAnswer]
  group: [protocol.GroupRequest, protocol.WriteAnswer]
  update: [protocol.UpdateRequest, protocol.WriteAnswer]
  track: [protocol.TrackRequest, unknown]
  decide: [Record<string, never>, protocol.DecideAnswer]
  claim: [protocol.ClaimRequest, protocol.Claim]
  start: [protocol.StartRequest, protocol.Claim]
  renew: [protocol.RenewRequest, protocol.RenewAnswer]
  release: [protocol.ReleaseRequest, unknown]
  error: [protocol.ErrorRequest, unknown]
  progress: [protocol.ProgressRequest, protocol.ProgressAnswer]
  edit: [{ token: string }, edit.EditOpened]
  'edit/draft': [{ session: string }, edit.EditAnswer]
  'edit/propose': [edit.ProposeBody, edit.ProposeAnswer]
  'edit/end': [{ session: string }, unknown]
}
export type CallName = keyof CallTypes

export type Answer<T> = { ok: true; data: T } | Failure

export interface Failure {
  ok: false
  /** Of the answer; 0 when there was none, or nonsense. */
  status: number
  code: string
  problem: string
  retryAfterMs: number
  /** What is wrong with each field of the body. */
  refused: readonly Refusal[]
}

/** Of the script. Written by the build. */
declare const VERSION: string

/** An answer that takes longer is none. */
const TIMEOUT_MS = 15_000
/** The longest pause that a server can ask for, in seconds. A timer of more than 24 days ends at once. */
const LONGEST_PAUSE = 3_600
/** What is written arrives also when the page is left meanwhile. Browsers refuse to do that for more than 64 KiB. */
const KEPT = /^(track|update|group)$/
const MOST_KEPT = 20_000

type LeaveOut = (body: object, refused: readonly Refusal[]) => Promise<boolean>
let leaveOut: LeaveOut = async () => false

/** Takes what the API has refused out of a body (`refused.ts`), which is loaded when it is needed. */
export function setLeaveOut(to: LeaveOut): void {
  leaveOut = to
}

/** Whether the same request may succeed later. */
export function isPassing({ status }: Failure): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** What only its author can put right: a token, an origin, a proof, or a name. It is often in a result that nobody looks at. */
function isMistake({ status, code }: Failure): boolean {
  return status === 400 || status === 403 || code === 'invalid_public_token'
}

/** The calls of the protocol. None throws. The visitor token is set by `identify` and `group`. */
export class Calls {
  visitor: string | null = null
  readonly endpoint: string
  readonly token: string

  constructor(endpoint: string, token: string) {
    this.endpoint = endpoint
    this.token = token
  }

  async call<Name extends CallName>(name: Name, body: CallTypes[Name][0]): Promise<Answer<CallTypes[Name][1]>> {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), TIMEOUT_MS)
    try {
      const text = toJson(body)
      const response = await window.fetch(this.#address(name), {
        method: 'POST',
        headers: this.headers(),
        body: text,
        keepalive: KEPT.test(name) && text.length < MOST_KEPT,
        credentials: 'omit',
        cache: 'no-store',
        signal: abort.signal,
      })
      const answer = await read<CallTypes[Name][1]>(response)
      if (answer.ok) return answer
      if (answer.refused[0]?.param && (await leaveOut(body, answer.refused))) return await this.call(name, body)
      if (isMistake(answer)) warnOnce(`${name}: ${answer.problem}`)
      return answer
    } catch (error) {
      return failure(0, 'unreachable', `Usher does not answer (${String((error as Error)?.name ?? error)})`)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * For a page that is being left: the browser sends it also when the page is gone. No preflight, so nothing has to wait. False
   * before somebody is identified.
   */
  leave<Name extends CallName>(name: Name, body: CallTypes[Name][0]): boolean {
    if (this.visitor === null) return false
    try {
      const text = toJson({ ...body, token: this.token, visitor: this.visitor })
      const headers = { 'content-type': 'text/plain' }
      const options = { method: 'POST', headers, body: text, keepalive: true, credentials: 'omit' } as const
      void window.fetch(this.#address(name), options).catch(() => {})
    } catch {
      // A page that forbids it loses its last report.
    }
    return true
  }

  headers(): Record<string, string> {
    const visitor: Record<string, string> = this.visitor === null ? {} : { 'usher-visitor': this.visitor }
    return { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...visitor }
  }

  #address(name: string): string {
    return `${this.endpoint}/sdk/${name}${name === 'identify' ? `?script=${VERSION}` : ''}`
  }
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text()
  const { status } = response
  let data: unknown
  try {
    data = text === '' ? {} : JSON.parse(text)
  } catch {
    data = null
  }
  if (typeof data !== 'object' || data === null)
    return failure(status >= 400 ? status : 0, 'nonsense', 'Usher answered no JSON')
  if (response.ok) return { ok: true, data: data as T }
  const error = ((data as { error?: unknown }).error ?? {}) as Record<string, unknown>
  const seconds = Math.min(LONGEST_PAUSE, Number(response.headers.get('retry-after')) || 0)
  return {
    ...failure(status, String(error.code ?? status), String(error.message ?? `Usher answered ${status}`)),
    retryAfterMs: seconds * 1000,
    refused: (error.problems ?? [error]) as Refusal[],
  }
}

export function failure(status: number, code: string, problem: string): Failure {
  return { ok: false, status, code, problem, retryAfterMs: 0, refused: [] }
}
