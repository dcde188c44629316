import type { ContentDocument } from '../../../contract/content/document.ts'
import type { GuidanceNotice } from '../../../contract/dashboard/home.ts'
import type { SdkErrorCode } from '../../../contract/sdk/errors.ts'
import { DAY_MS } from '../../../contract/units.ts'
import { isoTime } from '../../clock.ts'
import { findPublished } from '../../content/queries.ts'
import { sumCounts } from '../../counters/read.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { findFigures } from '../../results/queries.ts'
import { readIdentity } from '../../sdk/identity.ts'
import { countMembers } from '../../segments/questions.ts'
import type { Services } from '../../services.ts'
import { findMissed } from '../content/missed.ts'
import { type GuidanceInput, guidanceNotice } from './guidance-notice.ts'

/** A count may read every user: it is not repeated for each look at Home. */
const KEPT_MS = 10 * 60 * 1000

/** The code of calls that are refused for it; the allowed origin is behind it. */
const REFUSED: SdkErrorCode = 'identity_not_verified'

type Named = { id: string; name: string }
type Counted = { revision: string; at: number; found: Named[] }

/** What about content needs a person. Home does not wait for the counts of its rules: their outcome is there later. */
export class GuidanceNotices {
  readonly #services: Services
  readonly #unmatched = new Map<EnvironmentId, Counted>()

  constructor(services: Services) {
    this.#services = services
  }

  async read(id: EnvironmentId, now = Date.now()): Promise<GuidanceNotice | null> {
    const { database } = this.#services
    const since = isoTime(now - DAY_MS)
    const [{ setting }, counts, published] = await Promise.all([
      readIdentity(database, id),
      sumCounts(database, id, 'page_error', 'day', since),
      findPublished(database, id),
    ])
    if (published.length === 0) return null
    const unproven = counts.filter(({ name }) => name.startsWith(`${REFUSED} `))
    return guidanceNotice({
      identity: setting,
      unproven: unproven.reduce((sum, { count }) => sum + Number(count), 0),
      missed: await this.#missedOf(id, published, now),
      unmatched: this.#unmatchedOf(id, published, now),
    })
  }

  async #missedOf(
    id: EnvironmentId,
    published: Awaited<ReturnType<typeof findPublished>>,
    now: number,
  ): Promise<GuidanceInput['missed']> {
    const documents = published.map(
      ({ published_version_id: version, document }) =>
        [version as string, JSON.parse(document) as ContentDocument] as const,
    )
    const missed = await findMissed(this.#services.database, id, new Map(documents), now)
    return [...missed].map(([version, { number: step, missed: times, tries }]) => {
      const { id: content, name } = published.find((one) => one.published_version_id === version) as Named
      return { id: content, name, step, missed: times, tries }
    })
  }

  /** What was counted last. A change of what is published, or ten minutes, begin another count. */
  #unmatchedOf(id: EnvironmentId, published: Awaited<ReturnType<typeof findPublished>>, now: number): Named[] {
    const revision = published.map(({ published_version_id }) => published_version_id).join()
    const last = this.#unmatched.get(id)
    if (last?.revision !== revision || now - last.at >= KEPT_MS) {
      const next: Counted = { revision, at: now, found: last?.revision === revision ? last.found : [] }
      this.#unmatched.set(id, next)
      void this.#count(id, published).then(
        (found) => {
          next.found = found
        },
        // The database is away or busy: the next count tries again.
        () => {},
      )
    }
    return this.#unmatched.get(id)?.found ?? []
  }

  async #count(id: EnvironmentId, published: Awaited<ReturnType<typeof findPublished>>): Promise<Named[]> {
    const found: Named[] = []
    const signal = AbortSignal.timeout(KEPT_MS)
    // Somebody matched a version that was seen: a rule about the last hours may select nobody for a while.
    const figures = await findFigures(this.#services.database, id)
    const seen = new Set(figures.map(({ version_id }) => version_id))
    for (const { id: contentId, name, document, published_version_id: version } of published) {
      const { who } = JSON.parse(document) as ContentDocument
      if (!who || seen.has(version as string)) continue
      const { counted } = await countMembers(this.#services, id, { condition: who, scope: 'user' }, signal)
      if (counted.count === 0 && counted.exact) found.push({ id: contentId, name })
    }
    return found
  }
}
