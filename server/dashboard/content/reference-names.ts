import type { Names } from '../../../contract/conditions/sentence.ts'
import { findContentNames } from '../../content/queries.ts'
import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { findSegmentNames } from '../../segments/queries.ts'
import { namesOf } from '../../segments/views.ts'

/** What sentences call the segments and the content of an environment, for people: the API and files have keys. */
export async function referenceNames(db: Queryable, id: EnvironmentId): Promise<Names> {
  const [segments, content] = await Promise.all([findSegmentNames(db, id), contentNames(db, id)])
  return { ...namesOf(segments), content }
}

export async function contentNames(db: Queryable, id: EnvironmentId): Promise<NonNullable<Names['content']>> {
  const rows = await findContentNames(db, id)
  return new Map(rows.map(({ key, name }) => [key, name]))
}
