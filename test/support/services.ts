import type { Database } from '../../server/database/database.ts'
import { createServices, type ServiceOptions, type Services } from '../../server/services.ts'
import { LONGEST_WAIT_MS } from './database.ts'
import { silent } from './log.ts'

/** Services whose writes wait as long as a test may take: how long depends on what else the machine does. */
export function testServices(database: Database, options: ServiceOptions = {}): Services {
  return createServices(database, silent, { mostWaitMs: LONGEST_WAIT_MS, ...options })
}
