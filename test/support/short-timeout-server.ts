import type { AddressInfo } from 'node:net'
import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import { connect } from '../../server/database/open.ts'
import { findTopology } from '../../server/database/topology.ts'
import type { Timeouts } from '../../server/http/timeouts.ts'
import { createApp } from '../../server/process/app.ts'
import { createServices } from '../../server/services.ts'
import { readConfig } from '../../server/settings/config.ts'

/**
 * The whole HTTP side in its own process, as `usher start` runs it, but with time limits that a test can wait for.
 * It is forked, gets the two by a message, and answers with its port.
 */
process.once('message', ({ connection, timeouts }: { connection: ClientConfig; timeouts: Timeouts }) => {
  void serve(connection, timeouts).then((port) => process.send?.({ port }))
})
process.once('disconnect', () => process.exit(0))

async function serve(connection: ClientConfig, timeouts: Timeouts): Promise<number> {
  const log = pino({ level: 'silent' })
  const services = createServices(connect(connection, 10, await findTopology(connection)), log)
  const app = createApp(readConfig({ PORT: '0' }), services, log, timeouts)
  await services.keyring.start()
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
