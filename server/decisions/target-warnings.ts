import type { DocumentProblem } from '../../contract/content/check.ts'
import { isEqual } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { findMissedTargets, type MissedTarget } from '../results/missed-targets.ts'

interface PlacedTarget {
  /** What it is the target of, in every version. */
  key: string
  path: string
  locators: readonly string[]
}

/** What pages of the published version have told of the last day. */
export interface Misses {
  /** For how many users the first target was not there. */
  firstMissedBy: number
  /** Targets that a share of all tries did not find, by their step. */
  missed: readonly Pick<MissedTarget, 'step' | 'missed' | 'tries'>[]
}

/** What is known of the targets of a document: one that no page can be known to have looked for, and those that were not found. */
export function targetWarnings(
  document: ContentDocument,
  published: ContentDocument | undefined,
  { firstMissedBy, missed }: Misses,
): DocumentProblem[] {
  const before = new Map((published ? targetsOf(published) : []).map((target) => [target.key, target]))
  const [first] = document.type === 'flow' ? document.steps.map(({ key }) => key) : ['']
  return targetsOf(document).flatMap(({ key, path, locators }) => {
    const known = before.get(key)
    if (!known || !isEqual(known.locators, locators)) return [{ path, message: notLookedFor(published) }]
    if (key === first && firstMissedBy > 0)
      return [{ path, message: `was not found for ${users(firstMissedBy)} in the last day` }]
    const target = missed.find(({ step }) => step === key)
    return target ? [{ path, message: `was not found in ${shareOf(target)} of the tries of the last day` }] : []
  })
}

/** Nobody reports that: it follows from the two versions. A version of before may have had it. */
const notLookedFor = (published: ContentDocument | undefined) =>
  `${published ? 'the published version does not have it' : 'no version is published'}, so it is likely that no page has looked for this target yet`

const shareOf = ({ missed, tries }: Misses['missed'][number]) => `${Math.round((100 * missed) / tries)} %`
const users = (count: number) => (count === 1 ? 'one user' : `${count} users`)

function targetsOf(document: ContentDocument): PlacedTarget[] {
  if (document.type === 'launcher') return [{ key: '', path: 'target', locators: document.target.locators }]
  if (document.type !== 'flow') return []
  return document.steps.flatMap((step, index) =>
    step.type === 'tooltip' ? [{ key: step.key, path: `steps[${index}].target`, locators: step.target.locators }] : [],
  )
}

export async function findMisses(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
  versionId: string,
): Promise<Misses> {
  const [firstMissedBy, missed] = await Promise.all([
    countMissing(db, environmentId, contentId, versionId),
    findMissedTargets(db, environmentId, [versionId], Date.now()),
  ])
  return { firstMissedBy, missed }
}

/** For how many users the first target of a version was reported missing in the last day. */
async function countMissing(
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
