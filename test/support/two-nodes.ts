import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { Client } from './requests.ts'
import { createKeys, startService, type TestService } from './service.ts'

/** Two nodes of one database in the test's process, and clients of two environments. */
export interface TwoNodes {
  test: TestDatabase
  nodes: [TestService, TestService]
  client: Client
  /** The same environment as that of `client`. */
  onSecondNode: Client
  /** Another environment of the account, on the first node. */
  other: Client
  close(): Promise<void>
}

/** For one test file: they run from before its first test to after its last one. */
export function useTwoNodes(): TwoNodes {
  const two = {} as TwoNodes
  beforeAll(async () => void Object.assign(two, await start()))
  afterAll(async () => await two.close())
  return two
}

/** `prefix-1`, `prefix-2` … */
export function keyMaker(prefix: string): () => string {
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last}`
  }
}

async function start(): Promise<TwoNodes> {
  const test = await createTestDatabase()
  const nodes: TwoNodes['nodes'] = [await startService(test), await startService(test)]
  const [key = '', otherKey = ''] = await createKeys(test.database, 'self_hosted', ['Production', 'Staging'])
  const clients = {
    client: new Client(nodes[0].url, key),
    onSecondNode: new Client(nodes[1].url, key),
    other: new Client(nodes[0].url, otherKey),
  }
  const close = async () => {
    await Promise.all(Object.values(clients).map((each) => each.close()))
    await Promise.all(nodes.map((node) => node.close()))
    await test.close()
  }
  return { test, nodes, ...clients, close }
}
