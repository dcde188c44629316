import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import type { Claim, PageDecision, ProgressRequest, Report } from '../../contract/sdk/protocol.ts'

const DIST = fileURLToPath(new URL('../../sdk/dist/', import.meta.url))
const LEASE_MS = 60_000
/** As the real one does: a stream that is silent for longer is begun again. */
const BEAT_MS = 45_000

export interface StoredSession {
  id: string
  user: string
  content: RenderedContent
  holder: string | null
  epoch: number
  leaseUntil: number
  isOver: boolean
  reports: Report[]
}

interface Failure {
  status: number
  text: string
  headers?: Record<string, string>
}

/** The protocol of pages with everything in memory, for tests of the script alone: what is published is what a test says. */
export class ScriptServer {
  readonly contents: RenderedContent[] = []
  readonly sessions: StoredSession[] = []
  /** The bodies of all calls, by their order, and by which visitor token they were made. */
  readonly calls: { name: string; body: Record<string, unknown>; visitor?: string | undefined }[] = []
  /** Answers instead of the usual one: `null` closes the connection. */
  failure: ((name: string) => Failure | null | undefined) | undefined
  /** The answers to preflights wait for it. */
  preflight: Promise<void> | undefined
  /** Answers wait for it. */
  gate: Promise<void> | undefined
  readonly #server: Server
  /** Never reset: what a page that is being left still sends must not meet a later session. */
  #begun = 0
  readonly #streams = new Set<ServerResponse>()
  readonly #users = new Map<string, { user: string; browser: string }>()

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get reports(): Report[] {
    return this.sessions.flatMap(({ reports }) => reports)
  }

  /** Forgets everything that tests before have left. */
  clear(...contents: RenderedContent[]): void {
    this.contents.splice(0, this.contents.length, ...contents)
    this.sessions.length = 0
    this.calls.length = 0
    this.failure = undefined
    this.gate = undefined
    this.preflight = undefined
  }

  hint(more: { within_ms?: number; off?: true } = {}): void {
    const message = JSON.stringify({ type: 'hint', within_ms: 0, ...more })
    for (const stream of this.#streams) stream.write(`data: ${message}\n\n`)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type, usher-visitor')
    response.setHeader('access-control-expose-headers', 'retry-after')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    const name = (request.url as string).replace(/\/sdk\/(\d\/)?/, '').replace(/\?.*/, '')
    if (request.method === 'OPTIONS') {
      await this.preflight
      return void response.end()
    }
    if (name === 'stream') {
      this.calls.push({ name, body: {} })
      return this.failure?.(name) === undefined ? this.#stream(response) : void response.destroy()
    }
    if (request.method === 'GET') return this.#file(name, response)
    const text = Buffer.concat(await request.toArray()).toString()
    const body = JSON.parse(text || '{}') as Record<string, unknown>
    const visitor = (request.headers['usher-visitor'] ?? body.visitor) as string | undefined
    this.calls.push({ name, body, visitor })
    await this.gate
    const failure = this.failure?.(name)
    if (failure === null) return void response.destroy()
    if (failure) return void response.writeHead(failure.status, failure.headers).end(failure.text)
    const { status, data } = this.#answer(name, body, visitor)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data))
  }

  #file(name: string, response: ServerResponse): void {
    response.setHeader('content-type', name.endsWith('.html') ? 'text/html' : 'text/javascript')
    response.end(readFileSync(DIST + name))
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    this.#streams.add(response)
    const beat = setInterval(() => response.write(': here\n\n'), BEAT_MS)
    response.on('close', () => {
      clearInterval(beat)
      this.#streams.delete(response)
    })
  }

  #answer(name: string, body: Record<string, unknown>, token: string | undefined): { status: number; data: unknown } {
    if (name === 'identify') return { status: 200, data: this.#identify(body) }
    const visitor = this.#users.get(token ?? '')
    if (!visitor) return { status: 401, data: { error: { code: 'visitor_expired', message: 'identify again' } } }
    const decision = () => this.#decide(visitor)
    if (name === 'decide') return { status: 200, data: decision() }
    if (name === 'group' || name === 'update')
      return { status: 200, data: { visitor: token, ignored: [], decision: decision() } }
    if (name === 'claim' || name === 'start') return this.#claim(body, visitor, name === 'start')
    if (name === 'progress') return this.#progress(body as unknown as ProgressRequest, visitor.browser)
    const session = this.sessions.find(({ id }) => id === body.id)
    if (name === 'renew') {
      const holder = session?.holder === visitor.browser && session.epoch === body.epoch
      if (session && holder) session.leaseUntil = Date.now() + LEASE_MS
      return { status: 200, data: { holder, lease_seconds: 60 } }
    }
    if (name === 'release' && session?.holder === visitor.browser) session.leaseUntil = 0
    return { status: 200, data: {} }
  }

  #identify(body: Record<string, unknown>): unknown {
    const user = (body.user_id as string | undefined) ?? `anonymous:${body.browser_id}`
    const visitor = `v.${user}.${body.browser_id}`
    this.#users.set(visitor, { user, browser: body.browser_id as string })
    const decision = this.#decide({ user, browser: body.browser_id as string })
    return { visitor, expires_in_seconds: 3600, user_id: user, verified: false, ignored: [], decision }
  }

  #decide({ user, browser }: { user: string; browser: string }): PageDecision {
    const own = this.sessions.filter((session) => session.user === user && session.reports.length > 0)
    const seen = new Set(own.map(({ content }) => content.id))
    return {
      object: 'decision',
      stream: true,
      content: this.contents
        .filter(({ id }) => !seen.has(id))
        .map((content) => ({
          id: content.id,
          key: content.key,
          type: content.type,
          slot: content.type,
          version_id: content.version_id,
          where: null,
          wait_ms: 0,
          target:
            content.type === 'flow'
              ? (content.steps[0]?.target ?? null)
              : content.type === 'launcher'
                ? content.target
                : null,
          ...(content as { decided?: object }).decided,
        })),
      sessions: own
        .filter(({ isOver }) => !isOver)
        .map((session) => ({
          id: session.id,
          content_id: session.content.id,
          version_id: session.content.version_id,
          slot: session.content.type,
          held: session.leaseUntil < Date.now() ? 'free' : session.holder === browser ? 'here' : 'elsewhere',
          outcomes: session.content.outcomes,
          tasks: session.reports.flatMap((report) => (report.type === 'task_completed' ? [report.task] : [])),
        })),
    }
  }

  #claim(body: Record<string, unknown>, { user, browser }: { user: string; browser: string }, isStart: boolean) {
    const content = this.contents.find(({ id, key }) => id === body.content || key === body.content)
    const refused = (code: string) => ({
      status: code === 'not_found' ? 404 : 409,
      data: { error: { code, message: code } },
    })
    if (!content) return refused('not_found')
    const rivals = this.sessions.filter((one) => one.user === user && !one.isOver && one.content.type === content.type)
    const isHeld = (one: StoredSession) => one.leaseUntil > Date.now() && one.holder !== browser
    if (isStart) for (const one of rivals) one.isOver = true
    else if (rivals.some((one) => isHeld(one))) return refused('shown_elsewhere')
    let session = isStart ? undefined : rivals.find(({ id }) => id === body.session)
    if (body.session && !session) return refused('claimed')
    session ??= rivals.find((one) => !one.isOver && one.content.id === content.id)
    if (!session) {
      session = {
        id: `ses_${++this.#begun}`,
        user,
        content,
        holder: null,
        epoch: 0,
        leaseUntil: 0,
        isOver: false,
        reports: [],
      }
      this.sessions.push(session)
    }
    if (session.holder !== browser) session.epoch += 1
    session.holder = browser
    session.leaseUntil = Date.now() + LEASE_MS
    return { status: 200, data: claimOf(session) }
  }

  #progress({ id, epoch, reports }: ProgressRequest, browser: string) {
    const session = this.sessions.find((one) => one.id === id)
    if (!session) return { status: 404, data: { error: { code: 'not_found', message: 'no such session' } } }
    const holder = session.holder === browser && session.epoch === epoch
    const last = session.reports.at(-1)?.sequence ?? 0
    if ((reports[0]?.sequence ?? 0) > last + 1)
      return {
        status: 409,
        data: { error: { code: 'sequence_gap', message: `The last report that is stored has the sequence ${last}` } },
      }
    if (holder) session.reports.push(...reports.filter(({ sequence }) => sequence > last))
    if (session.reports.some(({ type }) => type === 'ended')) session.isOver = true
    const state = session.isOver ? 'ended' : 'active'
    return { status: 200, data: { holder, sequence: session.reports.at(-1)?.sequence ?? 0, state } }
  }
}

function claimOf(session: StoredSession): Claim {
  const seen = session.reports.filter((report) => report.type === 'step_seen')
  const answers = session.reports.flatMap((report) =>
    report.type === 'answered' ? [[report.question, report.value]] : [],
  )
  const completed = session.reports.some(({ type }) => type === 'completed')
  return {
    object: 'content_claim',
    id: session.id,
    content_id: session.content.id,
    version_id: session.content.version_id,
    epoch: session.epoch,
    sequence: session.reports.at(-1)?.sequence ?? 0,
    lease_seconds: 60,
    document: session.content,
    progress:
      session.reports.length > 0
        ? { step: seen.at(-1)?.step ?? null, completed, answers: Object.fromEntries(answers) }
        : null,
  }
}
