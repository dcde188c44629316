import type { Decisions } from '../decisions/decisions.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { Config } from '../settings/config.ts'

/** The dependencies of the dashboard's handlers. */
export interface DashboardParts {
  config: Config
  services: Services
  log: Log
  decisions: Decisions
  /** Where the public API is reached, as the caller sees it. */
  apiUrl(exchange: Exchange): string
}
