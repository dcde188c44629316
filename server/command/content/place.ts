import type { ContentDocument } from '../../../contract/content/document.ts'
import { commandActor } from '../../audit/record.ts'
import { pushContents } from '../../content/push.ts'
import { findContents } from '../../content/queries.ts'
import type { ContentRow } from '../../content/rows.ts'
import { revisionOf } from '../../content/save.ts'
import { findVersions } from '../../content/version-queries.ts'
import { readClock } from '../../database/clock.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { pushWarnings } from '../../decisions/push-warnings.ts'
import { createServices } from '../../services.ts'
import type { Config } from '../../settings/config.ts'
import { StartupError } from '../../startup-error.ts'
import { type Options, UsageError, type Values } from '../command.ts'
import { accountOption, findEnvironment } from '../environments/find.ts'
import { commandLog } from '../log.ts'
import { withDatabase } from '../with-database.ts'
import { remotePlace } from './remote-place.ts'
import type { Place, StoredContent } from './stored.ts'

/** Of every command about content. */
export const placeOptions = {
  environment: { type: 'string', value: 'NAME', description: 'the environment, in the database of this installation' },
  account: accountOption,
  url: { type: 'string', value: 'URL', description: 'a server to use instead, by its API' },
  key: { type: 'string', value: 'KEY', description: 'an API key of that server; USHER_API_KEY unless given' },
} as const satisfies Options

export async function withPlace<T>(
  config: () => Config,
  { environment, account, url, key }: Values<typeof placeOptions>,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  if (url !== undefined && environment !== undefined)
    throw new UsageError('--url and --environment are two places: give one of them. A key has its environment.')
  if (url !== undefined) {
    if (account !== undefined) throw new UsageError('--account goes with --environment: a key has its account.')
    return await work(remotePlace(checkUrl(url), checkKey(key ?? config().firstApiKey)))
  }
  if (key !== undefined) throw new UsageError('--key goes with --url, the address of a server.')
  if (environment === undefined)
    throw new UsageError('Say where: --environment NAME, or --url URL with a key in USHER_API_KEY.')
  return await withDatabase(config(), async (database) => {
    const found = await findEnvironment(database, environment, account)
    return await work(localPlace(database, found.id as EnvironmentId, found.account_id, found.slug))
  })
}

function checkUrl(url: string): string {
  if (url === '') throw new UsageError('--url is empty: write the address of a server. In CI, is the variable set?')
  // It is not repeated, as a part of it may be a secret: the output of CI is read by many.
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url is no address of a server: write it such as https://usher.example.com.')
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '')
    throw new UsageError('--url has a user or a password: write the address alone. The API key is in USHER_API_KEY.')
  if (search !== '' || hash !== '')
    throw new UsageError('--url has a query or a fragment: leave out what stands behind the ? or the #.')
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

/** In CI a secret that is not set is an empty word. */
function checkKey(key: string | undefined): string {
  if (key === undefined) throw new UsageError('--url needs an API key of that server, in USHER_API_KEY or as --key.')
  if (key === '') throw new UsageError('--key is empty: write an API key of that server. In CI, is the secret set?')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('--key is not an API key: it has only visible ASCII characters.')
  return key
}

function localPlace(database: Database, environmentId: EnvironmentId, accountId: number, slug: string): Place {
  return {
    read: async () => await readStored(database, environmentId),
    push: async ({ items, publish, isDryRun }) => {
      const jobs = items.map(({ document, expected_draft }) => ({ document, expectedDraft: expected_draft }))
      const origin = { actor: commandActor(accountId), environment: slug }
      const now = await readClock(database)
      const { commits } = createServices(database, commandLog, { now })
      const job = { items: jobs, publish, isDryRun }
      const documents = jobs.map(({ document }) => document)
      const warnings = publish ? await pushWarnings({ database, environmentId, documents, now: now() }) : []
      const { kept } = await commits.submit(pushContents, environmentId, { job, origin })
      return { kept, warnings: warnings.map(({ path, message }) => `${path}: ${message}`) }
    },
  }
}

async function readStored(database: Database, environmentId: EnvironmentId): Promise<StoredContent[]> {
  const ids = await database.query<{ id: string }>(
    'select id from content where environment_id = $1::int order by key',
    [environmentId],
  )
  const rows = await findContents(
    database,
    environmentId,
    ids.map(({ id }) => id),
  )
  const versions = await findVersions(database, environmentId, rows.flatMap(versionIds))
  const byId = new Map(versions.map((version) => [version.id, version]))
  return rows
    .map((row) => {
      const draft = byId.get(row.draft_version_id)
      const published = byId.get(row.published_version_id ?? '')
      if (!draft) throw new StartupError(`The content ${row.key} was deleted meanwhile: try again.`)
      return {
        key: row.key,
        draft: JSON.parse(draft.document) as ContentDocument,
        revision: revisionOf(draft),
        published: published ? (JSON.parse(published.document) as ContentDocument) : null,
      }
    })
    .sort((first, second) => (first.key < second.key ? -1 : 1))
}

function versionIds({ draft_version_id, published_version_id }: ContentRow): string[] {
  return published_version_id === null ? [draft_version_id] : [draft_version_id, published_version_id]
}
