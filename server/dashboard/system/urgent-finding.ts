import { hasSeveralAccounts } from '../../accounts/queries.ts'
import type { Database } from '../../database/database.ts'
import { judgeBacklog } from '../../doctor/backlog.ts'
import { checkDataFolder } from '../../doctor/data-folder.ts'
import type { Finding } from '../../doctor/finding.ts'
import { judgePause } from '../../doctor/pause.ts'
import type { Config } from '../../settings/config.ts'
import { measureBacklog } from '../../webhooks/backlog.ts'
import { findPause } from '../../webhooks/pause.ts'

/** Every open Home page reads this every few seconds. A disk does not fill up that fast. */
const KEPT_MS = 60_000

/** The finding of doctor about the disk, paused webhooks or the backlog that Home shows. */
export class UrgentFinding {
  readonly #config: Config
  readonly #database: Database
  #found: Promise<string | undefined> | undefined
  #foundAt = Number.NEGATIVE_INFINITY

  constructor(config: Config, database: Database) {
    this.#config = config
    this.#database = database
  }

  /** Home shows its figures also when a check cannot be run. */
  async read(now = performance.now()): Promise<string | undefined> {
    if (!this.#found || now - this.#foundAt >= KEPT_MS) {
      this.#foundAt = now
      this.#found = this.#check().catch(() => undefined)
    }
    return await this.#found
  }

  async #check(): Promise<string | undefined> {
    // A pause concerns every account. The disk and the backlog of all are the operator's business.
    if (await hasSeveralAccounts(this.#database)) return urgentOf([judgePause(await findPause(this.#database))])
    const { databaseUrl, dataDir } = this.#config
    const folder = databaseUrl === undefined ? (await checkDataFolder(dataDir)).findings : []
    const disk = folder.filter(({ check }) => check === 'disk')
    const [pause, backlog] = await Promise.all([findPause(this.#database), measureBacklog(this.#database)])
    return urgentOf([...disk, judgePause(pause), judgeBacklog(backlog)])
  }
}

/** The first finding that is not ok, a problem before a warning. */
export function urgentOf(findings: readonly Finding[]): string | undefined {
  const worst =
    findings.find(({ status }) => status === 'problem') ?? findings.find(({ status }) => status === 'warning')
  if (!worst) return undefined
  const { check, finding, advice = '' } = worst
  return `${check.slice(0, 1).toUpperCase()}${check.slice(1)}: ${finding}. ${advice}`.trim()
}
