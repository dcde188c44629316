import type { ServerLeaf } from '../../contract/conditions/condition.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { serverLeavesOf } from '../../contract/content/render.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { isUuid } from '../ids.ts'
import { WeightedCache } from '../weighted-cache.ts'
import { shapeOf, type VersionShape } from './shape.ts'

export interface PublishedContent {
  id: string
  key: string
  publishedVersionId: string | null
}

export interface KnownVersion {
  readonly document: ContentDocument
  readonly shape: VersionShape
  /** What only the server can decide inside of it, by their numbers. */
  readonly leaves: readonly ServerLeaf[]
  /** About how many bytes of memory it takes. */
  readonly weight: number
}

/** Some 190 documents of the greatest length, or 3,700 of 3 KB. */
const MOST_WEIGHT = 48 * 1024 * 1024

/** The documents of versions that sessions have. A published version does not change, so it is read once. */
export class Versions {
  readonly #database: Database
  readonly #known = new WeightedCache<string, KnownVersion>(MOST_WEIGHT, ({ weight }) => weight)

  constructor(database: Database) {
    this.#database = database
  }

  /** The content with this key, or else with this id. */
  async content(environmentId: EnvironmentId, keyOrId: string): Promise<PublishedContent | undefined> {
    const byId = isUuid(keyOrId) ? 'or id = $2::uuid' : ''
    const [row] = await this.#database.query<PublishedContent & Record<string, unknown>>(
      `select id, key, published_version_id as "publishedVersionId"
         from content where environment_id = $1::int and (key = $2::text ${byId})
        order by (key = $2::text) desc limit 1`,
      [environmentId, keyOrId],
    )
    return row
  }

  /** A version that was published. */
  async version(environmentId: EnvironmentId, versionId: string): Promise<KnownVersion | undefined> {
    const key = `${environmentId} ${versionId}`
    const known = this.#known.get(key)
    if (known) return known
    const found = await findVersion(this.#database, environmentId, versionId)
    if (!found) return undefined
    const { document: text, ...version } = found
    const document = JSON.parse(text) as ContentDocument
    const shape = shapeOf({ ...version, contentName: document.name }, document)
    // Measured: 1 to 3.6 bytes for each character, and what every version has.
    const weight = 1_000 + 4 * text.length
    const read = { document, shape, leaves: serverLeavesOf(document), weight }
    this.#known.set(key, read)
    return read
  }
}

interface VersionRow extends Record<string, unknown> {
  contentId: string
  versionId: string
  versionNumber: number
  document: string
}

async function findVersion(
  db: Database,
  environmentId: EnvironmentId,
  versionId: string,
): Promise<VersionRow | undefined> {
  const [row] = await db.query<VersionRow>(
    `select content.id as "contentId", version.id as "versionId",
            version.number as "versionNumber", version.document
       from content_versions as version
       join content on content.environment_id = version.environment_id and content.id = version.content_id
      where version.environment_id = $1::int and version.id = $2::uuid`,
    [environmentId, versionId],
  )
  return row
}
