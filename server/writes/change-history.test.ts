import { expect, it } from 'vitest'
import { Rows } from '../batches/rows.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { Histories } from '../history/histories.ts'
import { changeHistoryKind } from './change-history.ts'

/** Stores a state of a user, and says what happens before PostgreSQL has answered. */
async function storeUnanswered(isDistributed: boolean) {
  const [sent, deferred]: [string[], Promise<unknown>[]] = [[], []]
  const transaction = {
    isDistributed,
    query: (text: string) => {
      sent.push(text)
      return new Promise(() => {})
    },
    defer: (statements: Promise<unknown>) => void deferred.push(statements),
  } as unknown as OpenTransaction
  const histories = new Histories()
  histories.of('u').states.set('c', { contentId: 'c', type: 'flow', started: 1 } as never)
  const part = { environmentId: 1 as EnvironmentId, items: [], state: { groups: new Rows(), histories } }
  const stored = changeHistoryKind.store?.(transaction, [part as never])
  const isAwaited = await Promise.race([
    stored?.then(() => false),
    new Promise((resolve) => setImmediate(resolve, true)),
  ])
  return { sent: sent.length, deferred: deferred.length, isAwaited }
}

it('what is remembered is sent with the commit, and not before it', async () => {
  expect(await storeUnanswered(false)).toEqual({ sent: 1, deferred: 1, isAwaited: false })
})

it('a sharded PostgreSQL has stored what is remembered before the commit is sent', async () => {
  expect(await storeUnanswered(true)).toEqual({ sent: 1, deferred: 1, isAwaited: true })
})
