import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '../server/database/database.ts'
import { startEmbedded } from '../server/database/embedded/index.ts'
import { migrate } from '../server/database/migrate.ts'
import { Delivery } from '../server/webhooks/delivery/delivery.ts'
import { indexWalks } from '../server/webhooks/delivery/planner.ts'
import {
  addNotifications,
  addSubscription,
  countDeliveries,
  eventually,
  testSender,
} from '../test/support/deliveries.ts'
import { createEnvironment } from '../test/support/environment.ts'
import { silent } from '../test/support/log.ts'

/**
 * How many deliveries a second one process makes out of a backlog, and how many SQL statements each costs. The receiver
 * is a process of its own. Run: node bench/deliveries.ts [subscriptions] [notifications]
 */
class CountingDatabase extends Database {
  statements = 0

  override query: Database['query'] = (text, values) => {
    this.statements += 1
    return super.query(text, values)
  }

  override queryUnprepared: Database['queryUnprepared'] = (text, values) => {
    this.statements += 1
    return super.queryUnprepared(text, values)
  }
}

if (process.send) receive()
else await measure(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 5_000))

function receive(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function measure(subscriptions: number, notifications: number): Promise<void> {
  const receiver = fork(import.meta.filename, { stdio: 'inherit' })
  const [port] = await once(receiver, 'message')
  const folder = await mkdtemp(join(tmpdir(), 'usher-bench-'))
  const embedded = await startEmbedded(folder, silent)
  await migrate(embedded.connection)
  const options = { connections: 10, statementTimeoutMs: 20_000, lockTimeoutMs: 5_000, settings: indexWalks }
  const database = new CountingDatabase({ connection: embedded.connection, ...options })
  try {
    await run(database, `http://127.0.0.1:${port}`, subscriptions, notifications)
  } finally {
    await database.close()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
    receiver.kill()
  }
}

async function run(database: CountingDatabase, url: string, subscriptions: number, notifications: number) {
  const environmentId = await createEnvironment(database)
  const ids = await Promise.all(
    Array.from({ length: subscriptions }, (_, index) => addSubscription(database, environmentId, `${url}/${index}`)),
  )
  await addNotifications(database, environmentId, ids, notifications)
  const total = subscriptions * notifications
  const delivery = new Delivery({ database, sender: testSender(), log: silent })
  database.statements = 0
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  delivery.start()
  await eventually('all are sent', () => delivery.stats().sent >= total, 600_000)
  const seconds = (performance.now() - started) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  const { statements } = database
  await delivery.stop()
  console.log({
    deliveries: total,
    left: await countDeliveries(database, environmentId),
    perSecond: Math.round(total / seconds),
    statementsPerDelivery: (statements / total).toFixed(4),
    cpuMicrosecondsPerDelivery: Math.round((cpu.user + cpu.system) / total),
    ...delivery.stats(),
  })
}
