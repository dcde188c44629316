import { expect, it } from 'vitest'
import { judgeRecovery, judgeVersions, judgeWorker, type WorkerState } from './cluster.ts'

const worker: WorkerState = {
  address: '10.0.0.2:5432',
  answers: true,
  timeZone: 'UTC',
  postgres: '15.14',
  citus: '13.2-1',
  preparedTransactions: 200,
  jit: false,
}
const unreachable = { ...worker, answers: false, timeZone: '', postgres: '', citus: '', preparedTransactions: 0 }

it('a worker that answers, in UTC, with prepared transactions and without jit, is in order', () => {
  expect(judgeWorker(worker)).toEqual([{ check: 'worker 10.0.0.2:5432', status: 'ok', finding: 'answers' }])
})

it.each([
  ['does not answer', unreachable, ['problem'], /does not answer/, /503/],
  ['has another time zone', { ...worker, timeZone: 'Europe/Rome' }, ['warning'], /Europe\/Rome/, /timezone = UTC/],
  ['cannot prepare', { ...worker, preparedTransactions: 0 }, ['problem'], /max_prepared_transactions = 0/, /restart/],
  ['compiles plans', { ...worker, jit: true }, ['warning'], /compiles the plans/, /set jit = off/],
])('a worker that %s is named, with what to do', (_, state, statuses, finding, advice) => {
  const findings = judgeWorker(state)
  expect(findings.map(({ status }) => status)).toEqual(statuses)
  expect(findings[0]).toMatchObject({
    check: 'worker 10.0.0.2:5432',
    finding: expect.stringMatching(finding),
    advice: expect.stringMatching(advice),
  })
})

it('two-phase commits have to be recovered within five seconds', () => {
  expect([5_000, 1_000].map((ms) => judgeRecovery(ms).status)).toEqual(['ok', 'ok'])
  expect([5_001, 60_000, 0, -1].map((ms) => judgeRecovery(ms).status)).toEqual(Array(4).fill('warning'))
  expect(judgeRecovery(60_000).advice).toContain(`alter system set citus.recover_2pc_interval = '5s'`)
  expect(judgeRecovery(-1).finding).toContain('not recovered')
})

it('servers of different versions are a problem, an untried Citus is a warning, and a worker that is unreachable is neither', () => {
  const check = (citus: string, ...workers: WorkerState[]) =>
    judgeVersions('15.14', citus, workers).map(({ status, finding }) => `${status}: ${finding}`)
  expect(check('13.2-1', worker, unreachable)).toEqual([])
  expect(check('13.0-1', { ...worker, citus: '13.0-1' })).toEqual([])
  expect(check('13.2-1', { ...worker, postgres: '15.13' })).toEqual([expect.stringMatching(/^problem: .*15\.13/)])
  expect(check('13.2-1', { ...worker, citus: '13.1-1' })).toEqual([expect.stringMatching(/^problem: .*13\.1-1/)])
  expect(check('14.0-1', { ...worker, citus: '14.0-1' })).toEqual([expect.stringMatching(/^warning: .*14\.0-1/)])
})
