import { setImmediate as immediate } from 'node:timers/promises'
import type { BatchOperation } from '../../contract/requests/batch.ts'
import { replyOf } from '../answer-write.ts'
import type { ApiHandlers } from '../api.ts'
import type { CommitQueue } from '../batches/queue.ts'
import type { Counters } from '../counters/counters.ts'
import { countEvent } from '../counters/writes.ts'
import { ApiError, errors } from '../errors.ts'
import { renderFailure, toApiError } from '../http/failures.ts'
import { checkKey, fingerprintOf, type RequestKey } from '../http/idempotency-key.ts'
import type { Reply } from '../http/reply.ts'
import type { OnceAnswer } from '../idempotency/run-once.ts'
import type { Services } from '../services.ts'
import { JobCollector, JobRefused } from './atomic.ts'
import { type BatchableName, type ParsedOperation, parseOperation } from './parse.ts'

type Call = Parameters<ApiHandlers['runBatch']>[0]
type Handlers = Pick<ApiHandlers, BatchableName>
/** A result of a batch as it is shown. `isReplay` is undefined when the operation failed. */
interface Result {
  text: string
  isReplay: boolean | undefined
}
type MakeHandlers = (services: Services) => Handlers

/** Runs many operations of other handlers in one request. They are handed to the commit queue in their order. */
export function bulkHandlers(services: Services, makeHandlers: MakeHandlers) {
  const handlers = makeHandlers(services)
  return {
    runBatch: async (call) => {
      await takeBudget(services, call)
      return call.body.atomic === true
        ? await runAtomic(services, makeHandlers, call)
        : await runEach(services, handlers, call)
    },
  } satisfies Partial<ApiHandlers>
}

/** Each operation costs one request of the rate limit. The first was counted on admission. */
async function takeBudget({ rateLimiter }: Services, { grant, body: { operations } }: Call): Promise<void> {
  const limit = grant.plan.requestsPerMinute
  if (limit === null) return
  if (operations.length > limit)
    throw errors.invalidParams([`operations: are more than the ${limit} requests per minute of the plan; send fewer`])
  for (let count = 1; count < operations.length; count += 1) {
    const { allowed, resetSeconds } = await rateLimiter.take(grant.accountId, limit)
    if (!allowed) throw errors.rateLimited(limit, { 'Retry-After': String(resetSeconds) })
  }
}

async function runEach(services: Services, handlers: Handlers, call: Call): Promise<string | Reply> {
  const address = call.address().slice(0, -'/batch'.length)
  const { operations } = call.body
  const results: Promise<Result>[] = []
  for (const [index, operation] of operations.entries()) {
    // A delete does not see what another transaction has created and not committed: the operations before it finish first.
    if (index > 0 && operation.method !== operations[index - 1]?.method) await Promise.all(results)
    // Handed to the queue before the next operation starts, which keeps their order.
    results.push(resultOf(begin(services, handlers, call, operation, index), address, call.exchange.id))
  }
  return render(await Promise.all(results))
}

async function resultOf(answer: Promise<OnceAnswer>, address: string, requestId: string): Promise<Result> {
  try {
    return storedResult(await answer)
  } catch (error) {
    const failure = toApiError(error)
    return {
      text: `{"status":${failure.status},"body":${renderFailure(failure, address, requestId)}}`,
      isReplay: undefined,
    }
  }
}

async function runAtomic(services: Services, makeHandlers: MakeHandlers, call: Call): Promise<string | Reply> {
  const { operations } = call.body
  const collector = new JobCollector()
  const handlers = makeHandlers({ ...services, commits: collector as Partial<CommitQueue> as CommitQueue })
  const parsed = operations.map((operation, index) => parseAtomic(call, operation, index))
  const answers = parsed.map(({ operation, key }) => run(services, handlers, call, operation, key))
  const all = Promise.all(answers.map((answer, index) => answer.catch((error) => refuse(index, error))))
  // A handler that refuses throws before this point. The others have submitted their jobs.
  await Promise.race([all, immediate()])
  try {
    await collector.commit(services.commits, call.grant.environmentId)
  } catch (error) {
    return error instanceof JobRefused ? refuse(error.index, error) : refuse(undefined, error)
  }
  return render((await all).map(storedResult))
}

/** Throws before any handler has begun. */
function parseAtomic(call: Call, operation: BatchOperation, index: number) {
  if (operation.method !== 'POST')
    throw errors.invalidParams([`operations[${index}].method: must be POST in an atomic batch`])
  try {
    return { operation: parseOperation(operation), key: keyOf(call, operation, index) }
  } catch (error) {
    return refuse(index, error)
  }
}

async function begin(
  services: Services,
  handlers: Handlers,
  call: Call,
  operation: BatchOperation,
  index: number,
): Promise<OnceAnswer> {
  return await run(services, handlers, call, parseOperation(operation), keyOf(call, operation, index))
}

async function run(
  { counters }: { counters: Counters },
  handlers: Handlers,
  { grant, address, exchange, notify, body }: Call,
  { name, ...parsed }: ParsedOperation,
  requestKey: RequestKey | undefined,
): Promise<OnceAnswer> {
  const handler = handlers[name] as (call: object) => ReturnType<Handlers[BatchableName]>
  const isNotified = notify && body.notify !== false
  const answer = await handler({ grant, address, exchange, ...parsed, requestKey, notify: isNotified })
  if (typeof answer !== 'string') return { body: answer.body as string, isReplay: true }
  if (name === 'trackEvent') countEvent(counters.of(grant.environmentId), parsed.body as object)
  return { body: answer, isReplay: false }
}

/** Its own key, or one made from that of the batch: the transaction that stores an operation stores its answer. */
function keyOf(call: Call, operation: BatchOperation, index: number): RequestKey | undefined {
  const { method, path, body, idempotency_key } = operation
  if (idempotency_key != null) {
    const fingerprint = fingerprintOf(method, path, JSON.stringify(body ?? null))
    return { key: checkKey(idempotency_key, 'idempotency_key'), fingerprint }
  }
  if (!call.requestKey) return undefined
  // A key of a client has no space, so the two cannot collide.
  return { key: `${call.requestKey.key} ${index}`, fingerprint: call.requestKey.fingerprint }
}

function refuse(index: number | undefined, error: unknown): never {
  if (index === undefined || !(error instanceof ApiError)) throw error
  const { code, message, headers, param } = error
  const place = `operations[${index}]`
  throw new ApiError(code, `${place}: ${message}`, headers, param === undefined ? place : `${place}.${param}`)
}

function storedResult({ body, isReplay }: OnceAnswer): Result {
  return { text: `{"status":200,"body":${body}}`, isReplay }
}

/** A replay when all stored results come from an earlier request. */
function render(results: readonly Result[]): string | Reply {
  const isReplay = results.some((result) => result.isReplay) && results.every((result) => result.isReplay !== false)
  return replyOf({ body: `{"object":"batch","results":[${results.map(({ text }) => text).join(',')}]}`, isReplay })
}
