import type { DocumentProblem } from '../../contract/content/check.ts'
import { isEqual } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'

interface PlacedTarget {
  /** What it is the target of, in every version. */
  key: string
  path: string
  locators: readonly string[]
}

/** What is known of the targets of a document: one that no page can be known to have looked for, and a first one that was not found. */
export function targetWarnings(
  document: ContentDocument,
  published: ContentDocument | undefined,
  missedBy: number,
): DocumentProblem[] {
  const before = new Map((published ? targetsOf(published) : []).map((target) => [target.key, target]))
  const [first] = document.type === 'flow' ? document.steps.map(({ key }) => key) : ['']
  return targetsOf(document).flatMap(({ key, path, locators }) => {
    const known = before.get(key)
    if (!known || !isEqual(known.locators, locators)) return [{ path, message: NOT_LOOKED_FOR }]
    const isMissed = key === first && missedBy > 0
    return isMissed ? [{ path, message: `was not found in the last day, for ${users(missedBy)}` }] : []
  })
}

/** Nobody reports that: it follows from the two versions. A version of before may have had it. */
const NOT_LOOKED_FOR =
  'the published version does not have this target, so it is likely that no page has looked for it yet'

const users = (count: number) => (count === 1 ? 'one user' : `${count} users`)

function targetsOf(document: ContentDocument): PlacedTarget[] {
  if (document.type === 'launcher') return [{ key: '', path: 'target', locators: document.target.locators }]
  if (document.type !== 'flow') return []
  return document.steps.flatMap((step, index) =>
    step.type === 'tooltip' ? [{ key: step.key, path: `steps[${index}].target`, locators: step.target.locators }] : [],
  )
}

/** For how many users the first target of a version was reported missing in the last day. */
export async function countMissing(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
): Promise<number> {
  const [row] = await db.query<{ users: number }>(
    `select count(*)::int as users from content_states
      where environment_id = $1::int and content_id = $2::uuid and missing_version_id = $3::uuid
        and missing_at > now() - interval '1 day'`,
    [environmentId, contentId, versionId],
  )
  return row?.users ?? 0
}
