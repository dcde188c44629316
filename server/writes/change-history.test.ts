import { expect, it } from 'vitest'
import { Rows } from '../batches/rows.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { Histories } from '../history/histories.ts'
import { changeHistoryKind } from './change-history.ts'

/** Stores a state of a user, who may have a row, and says what happens before PostgreSQL has answered. */
async function storeUnanswered({ isDistributed = false, isKnown = true } = {}) {
  const [sent, deferred]: [string[], string[]] = [[], []]
  const transaction = {
    isDistributed,
    query: (text: string) => {
      sent.push(text)
      return new Promise(() => {})
    },
    defer: () => void deferred.push('may wait'),
    deferLocked: () => void deferred.push('locked'),
  } as unknown as OpenTransaction
  const histories = new Histories()
  histories.of('u').states.set('c', { contentId: 'c', type: 'flow', started: 1 } as never)
  const users = new Rows()
  if (isKnown) users.load('u', {})
  const state = { users, groups: new Rows(), histories }
  const part = { environmentId: 1 as EnvironmentId, items: [{ userId: 'u' }], state }
  const stored = changeHistoryKind.store?.(transaction, [part as never])
  const isAwaited = await Promise.race([
    stored?.then(() => false),
    new Promise((resolve) => setImmediate(resolve, true)),
  ])
  return { sent: sent.length, deferred, isAwaited }
}

it('what is remembered of a user whose row is locked is sent with the commit, and the next batch may begin', async () => {
  expect(await storeUnanswered()).toEqual({ sent: 1, deferred: ['locked'], isAwaited: false })
})

it('the next batch waits for what is remembered of a user without a row, which nothing locks', async () => {
  expect(await storeUnanswered({ isKnown: false })).toEqual({ sent: 1, deferred: ['may wait'], isAwaited: false })
})

it('a sharded PostgreSQL has stored what is remembered before the commit is sent', async () => {
  expect(await storeUnanswered({ isDistributed: true })).toMatchObject({ sent: 1, isAwaited: true })
})
