import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { recordOf } from './record.ts'

const LONG = 1024 * 1024

/** A request that was refused; every text is as long as a body may be. */
function refusedExchange(): Exchange {
  const long = () => 'x'.repeat(LONG)
  const given = { id: long(), name: long(), user_id: long(), group_id: long() }
  const body = JSON.parse(JSON.stringify({ ...given, operations: [{ path: '/events', body: { name: long() } }] }))
  return {
    ...{ id: 'req_1', method: 'POST', url: `/${long()}`, params: {}, body, elapsedMs: 1, isReplay: false },
    ...{ answer: long(), answerBytes: LONG, bytes: undefined, response: { statusCode: 400 } },
    failure: new ApiError('invalid_params', long(), {}, long()),
  } as unknown as Exchange
}

it('keeps of long texts only what it shows of them', () => {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  const usedBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const operations = ['upsertUser', 'upsertGroup', 'trackEvent', 'runBatch']
  const before = usedBytes()
  const kept = operations.map((operation) => recordOf(refusedExchange(), operation, undefined, '', 0))
  expect(usedBytes() - before).toBeLessThan(LONG)
  expect(kept.map(({ request }) => request.user_id?.length)).toEqual([300, 300, 300, 300])
  expect(kept[3]?.request.event_name).toHaveLength(300)
})
