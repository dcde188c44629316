import { setImmediate as immediate } from 'node:timers/promises'
import type { BatchOperation } from '../../contract/requests/batch.ts'
import type { ApiHandlers } from '../api.ts'
import type { CommitQueue } from '../batches/queue.ts'
import { ApiError, errors } from '../errors.ts'
import { toApiError } from '../http/failures.ts'
import type { RequestKey } from '../http/idempotency-key.ts'
import { runClaimed } from '../idempotency/claims.ts'
import type { OnceAnswer } from '../idempotency/run-once.ts'
import type { Services } from '../services.ts'
import { AnswerRoom } from './answer-room.ts'
import { JobCollector, JobRefused } from './atomic.ts'
import { takeBudget } from './budget.ts'
import { keysOf } from './keys.ts'
import { inOrder, OperationOrder } from './order.ts'
import { type BatchableName, BodyRefused, type ParsedOperation, parseOperation } from './parse.ts'
import { areRefused, type OperationResult, render, resultOf, storedResult } from './results.ts'

type Call = Parameters<ApiHandlers['runBatch']>[0]
type Handlers = Pick<ApiHandlers, BatchableName>
type MakeHandlers = (services: Services) => Handlers

/** Runs many operations of other handlers in one request. They are handed to the commit queue in their order. */
export function bulkHandlers(services: Services, makeHandlers: MakeHandlers) {
  return {
    runBatch: async (call) => {
      await takeBudget(services, call)
      const run = () =>
        call.body.atomic === true ? runAtomic(services, makeHandlers, call) : runEach(services, makeHandlers, call)
      return render(await runClaimed(services.database, call.grant.environmentId, call.requestKey, run, areRefused))
    },
  } satisfies Partial<ApiHandlers>
}

async function runEach(services: Services, makeHandlers: MakeHandlers, call: Call): Promise<OperationResult[]> {
  const order = new OperationOrder()
  const handlers = makeHandlers({
    ...services,
    commits: inOrder(services.commits, order) as Partial<CommitQueue> as CommitQueue,
  })
  const address = call.address().slice(0, -'/batch'.length)
  const parsed = call.body.operations.map((operation) => parse(operation, call.exchange.bytes))
  const keys = keysOf(call.requestKey, parsed)
  const room = new AnswerRoom()
  const results: Promise<OperationResult>[] = []
  for (const [index, operation] of parsed.entries()) {
    if (operation instanceof ApiError) {
      results.push(resultOf(Promise.reject(operation), address, call.exchange.id))
      continue
    }
    while (room.mustWait(operation)) await room.nextAnswer()
    const refusal = room.enter(operation)
    // Handed to the queue before the next operation starts, which keeps their order.
    const answer = refusal ? Promise.reject(refusal) : begin(handlers, order, call, operation, keys[index])
    const result = resultOf(answer, address, call.exchange.id)
    if (!refusal) void result.then(({ text }) => room.leave(operation, Buffer.byteLength(text)))
    results.push(result)
  }
  return await Promise.all(results)
}

/** What is wrong with an operation is its result. */
function parse(operation: BatchOperation, source: Buffer | undefined): ParsedOperation | ApiError {
  try {
    return parseOperation(operation, source)
  } catch (error) {
    return toApiError(error)
  }
}

async function runAtomic(services: Services, makeHandlers: MakeHandlers, call: Call): Promise<OperationResult[]> {
  const parsed = parseAtomic(call)
  const keys = keysOf(call.requestKey, parsed)
  for (const [index, key] of keys.entries()) if (key instanceof ApiError) refuse(index, key)
  const collector = new JobCollector()
  const handlers = makeHandlers({ ...services, commits: collector as Partial<CommitQueue> as CommitQueue })
  const answers = parsed.map((each, index) => run(handlers, call, each, keys[index]))
  const all = Promise.all(answers.map((answer, index) => answer.catch((error) => refuse(index, error, 'body.'))))
  // A handler that refuses throws before this point. The others have submitted their jobs.
  await Promise.race([all, immediate()])
  try {
    await collector.commit(services.commits, call.grant.environmentId)
  } catch (error) {
    return error instanceof JobRefused ? refuse(error.index, error, 'body.') : refuse(undefined, error)
  }
  return (await all).map(storedResult)
}

/** Throws before any handler has begun. */
function parseAtomic({ body: { operations }, exchange }: Call): ParsedOperation[] {
  return operations.map((operation, index) => {
    const found = parse(operation, exchange.bytes)
    if (found instanceof ApiError) return refuse(index, found, found instanceof BodyRefused ? 'body.' : '')
    if (found.given.method === 'POST') return found
    throw errors.invalidParams([`operations[${index}].method: must be POST in an atomic batch`])
  })
}

async function begin(
  handlers: Handlers,
  order: OperationOrder,
  call: Call,
  operation: ParsedOperation,
  key: RequestKey | ApiError | undefined,
): Promise<OnceAnswer> {
  order.begin(operation)
  return await run(handlers, call, operation, key)
}

async function run(
  handlers: Handlers,
  { grant, address, exchange, notify, body }: Call,
  { name, params, query, body: given }: ParsedOperation,
  requestKey: RequestKey | ApiError | undefined,
): Promise<OnceAnswer> {
  if (requestKey instanceof ApiError) throw requestKey
  const handler = handlers[name] as (call: object) => ReturnType<Handlers[BatchableName]>
  const isNotified = notify && body.notify !== false
  const answer = await handler({ grant, address, exchange, params, query, body: given, requestKey, notify: isNotified })
  if (typeof answer !== 'string') return { body: answer.body as string, isReplay: true }
  return { body: answer, isReplay: false }
}

/** `within` is where the field of the error is in the operation: `body.`, or nothing for a field of the operation itself. */
function refuse(index: number | undefined, error: unknown, within: 'body.' | '' = ''): never {
  if (index === undefined || !(error instanceof ApiError)) throw error
  const { code, message, headers, param } = error
  const place = `operations[${index}]`
  throw new ApiError(code, `${place}: ${message}`, headers, param === undefined ? place : `${place}.${within}${param}`)
}
