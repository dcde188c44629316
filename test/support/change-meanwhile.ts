import { setImmediate } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { CommitQueue } from '../../server/batches/queue.ts'
import type { Database } from '../../server/database/database.ts'

interface Meanwhile<T> {
  /** The statement that is sent after the change. Those that are sent together with it are answered before. */
  before: (text: string, values: readonly unknown[]) => boolean
  change: () => Promise<unknown>
  read: () => Promise<T>
}

type Send = (text: string, values: readonly unknown[]) => Promise<never[]>

/** What is read by several statements, while it is changed between two of them. */
export async function changeMeanwhile<T>(database: Database, { before, change, read }: Meanwhile<T>): Promise<T> {
  const sent: Promise<unknown>[] = []
  let isChanged = false
  const spies = (['query', 'queryUnprepared'] as const).map((name) => {
    const send: Send = database[name].bind(database)
    const sendLater: Send = async (text, values) => {
      if (isChanged || !before(text, values)) {
        const rows = send(text, values)
        sent.push(rows)
        return await rows
      }
      isChanged = true
      await setImmediate()
      await Promise.allSettled(sent)
      await change()
      return await send(text, values)
    }
    return vi.spyOn(database, name).mockImplementation(sendLater as never)
  })
  try {
    const answer = await read()
    if (!isChanged) throw new Error('no statement was sent after the change')
    return answer
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Changes something in the transaction that `send` begins, right before it sends this statement. */
export async function changeInside<T>(
  database: Database,
  before: (text: string) => boolean,
  change: () => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  const begin = database.begin.bind(database)
  let isChanged = false
  const spy = vi.spyOn(database, 'begin').mockImplementation(async (...given) => {
    const transaction = await begin(...given)
    const query: Send = transaction.query.bind(transaction)
    const queryLater: Send = async (text, values) => {
      if (!isChanged && before(text)) {
        isChanged = true
        await change()
      }
      return await query(text, values)
    }
    return Object.assign(transaction, { query: queryLater })
  })
  try {
    const answer = await send()
    if (!isChanged) throw new Error('no such statement was sent in a transaction')
    return answer
  } finally {
    spy.mockRestore()
  }
}

/** Changes something after the request was admitted, before its transaction begins. */
export async function changeBeforeTransaction<T>(
  database: Database,
  change: () => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  const begin = database.begin.bind(database)
  let isChanged = false
  const spy = vi.spyOn(database, 'begin').mockImplementation(async (...given) => {
    if (!isChanged && isOfRequest()) {
      isChanged = true
      await change()
    }
    return await begin(...given)
  })
  try {
    const answer = await send()
    if (!isChanged) throw new Error('the request has begun no transaction')
    return answer
  } finally {
    spy.mockRestore()
  }
}

/** The server begins transactions by itself, too: it stores its counters every two seconds. */
function isOfRequest(): boolean {
  return /\/server\/(accounts|batches|dashboard)\//.test(new Error('where this is called').stack ?? '')
}

/** The same by a request that changes something through the queue of writes, which the first one has not come to yet. */
export async function changeBeforeSubmit<T>(
  commits: CommitQueue,
  change: () => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  const submit = commits.submit.bind(commits) as (...given: unknown[]) => Promise<never>
  const spy = vi.spyOn(commits, 'submit').mockImplementationOnce(async (...given) => {
    await change()
    return await submit(...given)
  })
  try {
    const answer = await send()
    expect(spy).toHaveBeenCalled()
    return answer
  } finally {
    spy.mockRestore()
  }
}
