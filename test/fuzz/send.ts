import type { Agent } from 'undici'
import { exchangeBytes, parseAnswer } from '../support/raw.ts'
import { type Answer, checkAnswer } from '../support/response-schemas.ts'
import type { FuzzRequest } from './request.ts'

const TIMEOUT_MS = 20_000

export interface Target {
  url: string
  port: number
  agent: Agent
}

export interface Outcome {
  /** 0 when the server closed the connection without an answer. */
  status: number
  problem?: string
}

/** Sends a request and says what was wrong with its answer: a 5xx, a broken envelope, an undeclared key, silence. */
export async function outcomeOf(target: Target, request: FuzzRequest): Promise<Outcome> {
  try {
    const answer = request.raw ? await sendRaw(target, request) : await sendOverHttp(target, request)
    if (!answer) return { status: 0 }
    const { status, text } = answer
    if (status >= 500 || status < 200) return { status, problem: `${status}: ${text.slice(0, 500)}` }
    checkAnswer(request.method, request.path, answer)
    return { status }
  } catch (error) {
    return { status: 0, problem: (error as Error).message }
  }
}

async function sendOverHttp({ url, agent }: Target, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const answer = await agent.request({
    origin: url,
    path,
    method: method as 'GET',
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body }),
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

/** Bytes may be anything, so the server may also close the connection without an answer; it must not keep it open. */
async function sendRaw(
  { port }: Target,
  { method, path, headers, body = '' }: FuzzRequest,
): Promise<Answer | undefined> {
  const given = { host: 'x', connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = await exchangeBytes(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return bytes.length === 0 ? undefined : parseAnswer(bytes)
}
