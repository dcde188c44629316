import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { Identifications } from '../identifications/identifications.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { Allowances } from './allowances.ts'
import { PublicDirectory } from './directory.ts'
import { NamesOfDay } from './names-of-day.ts'
import { PageLimits } from './page-limits.ts'
import { RefusedOrigins } from './refused-origins.ts'
import { Streams } from './streams.ts'
import { PublicUses } from './uses.ts'
import { Writers } from './writers.ts'

/** The dependencies of the calls of pages. */
export interface PublicParts {
  services: Services
  decisions: Decisions
  sessions: Sessions
  directory: PublicDirectory
  limits: PageLimits
  allowances: Allowances
  writers: Writers
  uses: PublicUses
  identifications: Identifications
  refusedOrigins: RefusedOrigins
  scriptVersions: NamesOfDay
  streams: Streams
}

export function createPublicParts(services: Services, decisions: Decisions, sessions: Sessions, log: Log): PublicParts {
  const { database, keyring, secrets } = services
  const streams = new Streams(services.hints, database, log)
  services.metrics.guidance.streams = () => streams.size
  keyring.revision.onChange = () => void streams.endRefused()
  return {
    services,
    decisions,
    sessions,
    directory: new PublicDirectory(database, keyring.revision, secrets.box, services.now),
    limits: new PageLimits(),
    allowances: new Allowances(),
    writers: new Writers(database),
    uses: new PublicUses(database, log),
    identifications: new Identifications(database, log),
    refusedOrigins: new RefusedOrigins(services.counters),
    scriptVersions: new NamesOfDay(sdkLimits.scriptVersionsPerDay),
    streams,
  }
}
