import type { ContentDocument } from '../../../contract/content/document.ts'
import type { GuidanceNotice } from '../../../contract/dashboard/home.ts'
import { isoTime } from '../../clock.ts'
import { findPublished } from '../../content/queries.ts'
import { sumCounts } from '../../counters/read.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { countRunsSince, findMissing } from '../../results/queries.ts'
import { readIdentity } from '../../sdk/identity.ts'
import { countMembers } from '../../segments/questions.ts'
import type { Services } from '../../services.ts'
import { type GuidanceInput, guidanceNotice } from './guidance-notice.ts'

const DAY_MS = 86_400_000
/** A count may read every user: it is not repeated for each look at Home. */
const KEPT_MS = 10 * 60 * 1000

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
    const [{ setting }, counts, published, missing] = await Promise.all([
      readIdentity(database, id),
      sumCounts(database, id, 'identity', 'day', since),
      findPublished(database, id),
      findMissing(database, id, since),
    ])
    if (published.length === 0) return null
    const unproven = counts.filter(({ name }) => name === 'unsigned' || name === 'wrong')
    return guidanceNotice({
      identity: setting,
      unproven: unproven.reduce((sum, { count }) => sum + Number(count), 0),
      missing: await this.#shares(id, published, missing, since),
      unmatched: this.#unmatchedOf(id, published, now),
    })
  }

  async #shares(
    id: EnvironmentId,
    published: Awaited<ReturnType<typeof findPublished>>,
    missing: Awaited<ReturnType<typeof findMissing>>,
    since: string,
  ): Promise<GuidanceInput['missing']> {
    const live = missing.flatMap(({ version_id, users }) => {
      const content = published.find(({ published_version_id }) => published_version_id === version_id)
      return content ? [{ id: content.id, name: content.name, version: version_id, missed: users }] : []
    })
    if (live.length === 0) return []
    const runs = await countRunsSince(
      this.#services.database,
      id,
      live.map(({ id: content, version }) => ({ content, version })),
      since,
    )
    return live.map(({ version, ...content }) => ({ ...content, seen: runs.get(version) ?? 0 }))
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
    for (const { id: contentId, name, document } of published) {
      const { who } = JSON.parse(document) as ContentDocument
      if (!who) continue
      const { counted } = await countMembers(this.#services, id, { condition: who, scope: 'user' }, signal)
      if (counted.count === 0 && counted.exact) found.push({ id: contentId, name })
    }
    return found
  }
}
