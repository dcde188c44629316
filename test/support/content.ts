import type { ContentDocument } from '../../contract/content/document.ts'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { insertInternalDefinitions } from '../../server/definitions/queries.ts'
import { newId } from '../../server/ids.ts'
import { raiseRevision } from '../../server/segments/queries.ts'

/** A flow of two steps, with a question. */
export const tour = (key: string, more: Partial<ContentDocument> = {}) =>
  ({
    key,
    type: 'flow',
    name: `Tour ${key}`,
    steps: [
      {
        key: 'hello',
        type: 'dialog',
        blocks: [{ heading: 'Hello {{ user.name | there }}' }],
        buttons: [{ label: 'Next', do: [{ next: true }] }],
      },
      {
        key: 'ask',
        type: 'dialog',
        blocks: [
          { question: 'ease', kind: 'nps', label: 'How easy was that?' },
          { question: 'why', kind: 'text', label: 'Why?' },
        ],
        buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
      },
    ],
    ...more,
  }) as ContentDocument

export interface PublishedTest {
  id: string
  versionId: string
}

/** Stores content as it is after it was published. */
export async function publishTest(
  db: Database,
  environmentId: EnvironmentId,
  document: ContentDocument,
): Promise<PublishedTest> {
  const [id, versionId] = [newId(), newId()]
  await db.query(
    `insert into content (environment_id, id, key, type, name, draft_version_id, published_version_id, published_at, created_at)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $6::uuid, now(), now())`,
    [environmentId, id, document.key, document.type, document.name, versionId],
  )
  await db.query(
    `insert into content_versions (environment_id, id, content_id, number, document, revision, edited_at, created_at, published_at)
     values ($1::int, $2::uuid, $3::uuid, 1, $4::text, 1, now(), now(), now())`,
    [environmentId, versionId, id, JSON.stringify(document)],
  )
  await insertInternalDefinitions(db as never, environmentId, new Date().toISOString())
  await raiseRevision(db as never, environmentId)
  return { id, versionId }
}
