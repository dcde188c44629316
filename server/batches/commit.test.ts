import pg from 'pg'
import { expect, it } from 'vitest'
import type { Database, EnvironmentId } from '../database/database.ts'
import { UnprovenCommit } from '../database/errors.ts'
import { ofOne } from '../database/parts.ts'
import { commitBatch } from './commit.ts'
import { CommitOrder } from './order.ts'
import { Precedence } from './precedence.ts'
import { BatchTurn } from './turn.ts'
import type { Submission } from './waiting-jobs.ts'
import type { JobIdempotency, Work } from './work.ts'

const ENVIRONMENT = 1 as EnvironmentId

interface Faults {
  /** The failures of the commits, one after the other. */
  commits?: (Error | undefined)[]
  outcome?: string
  hasId?: boolean
  locked?: Promise<void>
}

/** A database that writes down what is asked of it, and a batch that writes down what others are told. */
function stage({ commits = [], outcome = 'forgotten', hasId = false, locked = Promise.resolve() }: Faults = {}) {
  const told: string[] = []
  const begin = async () => ({
    start: () => told.push('BEGIN'),
    hold: () => told.push('hold'),
    mark: () => {},
    id: hasId ? Promise.resolve({ xid: '1' }) : undefined,
    written: async () => {},
    locked: () => locked,
    commit: async () => {
      told.push('COMMIT')
      const failure = commits.shift()
      if (failure) throw failure
    },
    committed: () => told.push('after the commit'),
    abandon: async () => {},
  })
  const database = { isDistributed: false, begin, outcome: async () => outcome } as unknown as Database
  const precedence = new Precedence()
  const commit = (idempotency?: JobIdempotency) => {
    const place = precedence.enter([ENVIRONMENT])
    const turn = new BatchTurn(new CommitOrder(), [ENVIRONMENT], place)
    const work: Work<never, unknown> = async () => {
      told.push(`work ${(await turn.enter(true)).newId()}`)
      return ['done']
    }
    const parts = ofOne(ENVIRONMENT, [{ job: 1, idempotency } as unknown as Submission])
    const reports = { next: () => told.push('next'), failed: () => told.push('held') }
    const results = commitBatch(database, { work, parts, turn, place, ...reports, lockTimeoutMs: undefined })
    return results.finally(() => place.finish())
  }
  /** Without the ids. */
  const steps = () => told.map((step) => step.split(' ')[0])
  return { commit, precedence, told, steps }
}

const keyed: JobIdempotency = { run: (_transaction, parts, _turn, work) => work(parts) }

it('a batch with nothing before it is not begun, and the next may begin when COMMIT is sent', async () => {
  const { commit, steps } = stage()
  expect(await commit()).toEqual(['done'])
  expect(steps()).toEqual(['work', 'COMMIT', 'next'])
})

it('the next batch does not begin while a statement of this one can wait for a lock', async () => {
  const locked = Promise.withResolvers<void>()
  const { commit, steps } = stage({ locked: locked.promise })
  await commit()
  expect(steps()).toEqual(['work', 'COMMIT'])
  locked.resolve()
  await new Promise(setImmediate)
  expect(steps()).toEqual(['work', 'COMMIT', 'next'])
})

it('a batch behind another begins at once, lets the next one begin, and commits after it', async () => {
  const { commit, precedence, steps } = stage()
  const before = precedence.enter([ENVIRONMENT])
  const committed = commit()
  await new Promise(setImmediate)
  expect(steps()).toEqual(['hold', 'work', 'next'])
  before.committed()
  await committed
  expect(steps()).toEqual(['hold', 'work', 'next', 'COMMIT', 'next'])
})

it('a single statement that was not answered is sent again with its ids, and a duplicate says that it was committed', async () => {
  const duplicate = Object.assign(new pg.DatabaseError('there already', 0, 'error'), { code: '23505' })
  const { commit, told, steps } = stage({ commits: [new UnprovenCommit('lost'), duplicate] })
  expect(await commit()).toEqual(['done'])
  expect(steps()).toEqual(['work', 'COMMIT', 'next', 'held', 'work', 'COMMIT', 'next', 'held', 'after'])
  expect(told[4]).toBe(told[0])
})

it('a batch is not run again when the outcome of its COMMIT stays unknown, with keys either', async () => {
  const { commit, steps } = stage({ commits: [new UnprovenCommit('lost')], hasId: true })
  await expect(commit(keyed)).rejects.toThrow('not known')
  expect(steps().filter((step) => step === 'work')).toHaveLength(1)
  expect(steps()).toContain('held')
})

it('after any other failure of its first try a batch with keys is run again, and one without is not', async () => {
  const refused = () => Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '23514' })
  expect(await stage({ commits: [refused()] }).commit(keyed)).toEqual(['done'])
  await expect(stage({ commits: [refused(), refused()] }).commit(keyed)).rejects.toThrow('refused')
  await expect(stage({ commits: [refused()] }).commit()).rejects.toThrow('refused')
})
