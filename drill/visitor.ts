import { setTimeout as sleep } from 'node:timers/promises'
import { LEASE_SECONDS } from '../contract/sdk/protocol.ts'
import type { Random } from '../test/fuzz/random.ts'
import type { Answers } from './answers.ts'
import { outcomesOf, type Target, tryOnce } from './call.ts'
import { FLICKERING, type Flicker, READY, STEADY } from './flows.ts'
import { DrillPage, type PageAnswer } from './page.ts'
import type { DrillRequest } from './requests.ts'
import { type Held, Walk } from './walk.ts'

export interface VisitorOptions {
  name: string
  targets: readonly Target[]
  token: string
  flicker: Flicker
  answers: Answers
  random: Random
}

const TIMEOUT_MS = 5_000
const PAUSE_MS = 50
/** How long a page waits for a hint before it asks by itself. The node that would send it may have been killed. */
const HINT_MS = 500
/**
 * One new user after the other goes through the steady flow, in two browsers of which one gets it, and then through the
 * flickering one while it is published.
 */
export class DrillVisitor {
  readonly #options: VisitorOptions
  #last = 0

  constructor(options: VisitorOptions) {
    this.#options = options
  }

  async act(): Promise<void> {
    const { name, targets, token, random, answers } = this.#options
    this.#last += 1
    const userId = `${name}-${this.#last}`
    const page = (browser: string) => new DrillPage(targets, token, random, `${userId}-browser-${browser}`)
    const pages = [page('a'), page('b')] as const
    await this.#send({ method: 'POST', path: '/users', body: { id: userId }, pieces: [] }, `${userId}/create`)
    this.#expect('before the event', (await pages[0].identify(userId)).body.decision, [])
    await pages[1].identify(userId)
    await this.#becomeReady(pages[0], userId)
    await this.#decide(pages[0])
    if (await this.#show(STEADY, pages, userId)) await this.#show(FLICKERING, pages, userId)
    answers.retries += pages[0].retries + pages[1].retries
  }

  /** The event opens the flow. A page whose stream is open hears of it, unless the stream or its node is gone. */
  async #becomeReady(page: DrillPage, userId: string): Promise<void> {
    const stream = await page.openStream()
    await this.#track(userId)
    if (!stream) return
    const deadline = performance.now() + HINT_MS
    const isHinted = () => stream.messages.some(({ type }) => type === 'hint')
    while (stream.isOpen && !isHinted() && performance.now() < deadline) await sleep(5)
    if (isHinted()) this.#options.answers.flows.hints += 1
    await stream.close()
  }

  /** Both browsers claim the flow. Returns whether the user has come to its end. */
  async #show(content: string, pages: readonly [DrillPage, DrillPage], userId: string): Promise<boolean> {
    const { answers, random, flicker } = this.#options
    const begun = performance.now()
    const before = { ...flicker }
    const claims = await Promise.all(pages.map((page) => claim(page, content)))
    const isLong = performance.now() - begun > LEASE_SECONDS * 1_000
    // Unpublished and published again between the claims: the first one has ended.
    const isOver =
      content === FLICKERING && !isUnchanged(flicker, before) && claims.every(({ status }) => status === 200)
    const winner = isLong || isOver ? latestOf(claims) : this.#winner(content, claims, userId)
    if (winner === undefined) return false
    const order = winner === 0 ? pages : ([pages[1], pages[0]] as const)
    const held = (claims[winner] as PageAnswer).body as Held
    return await new Walk(order, { id: held.id, epoch: held.epoch }, { userId, content, begun, answers, random }).run()
  }

  /** An event of the back end. Its mark is in the audit of all events. */
  async #track(userId: string): Promise<void> {
    const mark = `${userId}/ready`
    const body = { name: READY, user_id: userId, attributes: { mark } }
    const request: DrillRequest = {
      method: 'POST',
      path: '/events',
      body,
      pieces: [{ kind: 'event', mark, counter: userId }],
    }
    const [outcome] = outcomesOf(request, await this.#send(request, mark))
    this.#options.answers.settle({ kind: 'event', mark, counter: userId }, outcome ?? { kind: 'unknown' })
  }

  async #send(request: DrillRequest, key: string) {
    for (;;) {
      const { random, targets } = this.#options
      const answer = await tryOnce(random.pick(targets), request, key, TIMEOUT_MS)
      if (answer?.status === 200) return answer
      if (answer && answer.status !== 503) throw new Error(`${request.path}: ${answer.status} ${answer.text}`)
      await sleep(PAUSE_MS)
    }
  }

  /** Right at once, also on a node that was started a moment ago: the event counts, and so does every publication. */
  async #decide(page: DrillPage): Promise<void> {
    const { flicker, answers } = this.#options
    const before = { ...flicker }
    const { body } = await page.call('decide', {})
    const keys = before.isPublished ? [FLICKERING, STEADY] : [STEADY]
    if (isUnchanged(flicker, before)) this.#expect('after the event', body, keys)
    else if (!keysOf(body).includes(STEADY)) answers.wrong.push(`a decision without ${STEADY}: ${JSON.stringify(body)}`)
    answers.flows.decisions += 1
  }

  #expect(when: string, decision: unknown, keys: readonly string[]): void {
    const found = keysOf(decision).toSorted()
    if (found.join() !== keys.join())
      this.#options.answers.wrong.push(`${when}: the decision has [${found.join()}] and not [${keys.join()}]`)
  }

  /** Nobody, when the flickering flow is not published, or a claim that was given up on is carried out late. */
  #winner(content: string, claims: readonly PageAnswer[], userId: string): number | undefined {
    const winners = claims.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    const isRefused = claims.every(({ status }) => status === 200 || status === 409 || status === 404)
    if (winners.length === 1 && isRefused) return winners[0]
    if (content === STEADY || winners.length > 1 || !isRefused)
      this.#options.answers.wrong.push(
        `${userId}: claims of ${content} were answered ${claims.map(described).join(', ')}`,
      )
    return undefined
  }
}

/** Whether the flickering flow was published, or not, all the time since. */
function isUnchanged(now: Flicker, before: Flicker): boolean {
  return before.isPublished !== undefined && now.changes === before.changes && now.isPublished === before.isPublished
}

/** The first claim was over before the second one was answered. The ids of claims rise. */
function latestOf(claims: readonly PageAnswer[]): number | undefined {
  const ids = claims.map(({ status, body }) => (status === 200 ? String(body.id) : ''))
  const latest = ids.toSorted().at(-1)
  return latest ? ids.indexOf(latest) : undefined
}

function described({ status, body }: PageAnswer): string {
  return status === 200 ? `200 ${body.id} in epoch ${body.epoch}` : `${status} ${body?.error?.code}`
}

/** A version that was published a moment ago is claimed again, as the script does it after its next decision. */
async function claim(page: DrillPage, content: string): Promise<PageAnswer> {
  for (;;) {
    const answer = await page.call('claim', { content })
    if (answer.body?.error?.code !== 'version_changed') return answer
  }
}

function keysOf(decision: unknown): string[] {
  return ((decision as { content?: { key: string }[] }).content ?? []).map(({ key }) => key)
}
