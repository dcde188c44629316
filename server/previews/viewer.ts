import type { Attributes } from '../../contract/attributes.ts'
import type { Outcome } from '../../contract/conditions/condition.ts'
import { outcomeOf } from '../../contract/conditions/outcome.ts'
import { type Path, pathOf } from '../../contract/content/path.ts'
import { outcomesByLeaf, serverLeavesOf } from '../../contract/content/render.ts'
import type { TemplateValues } from '../../contract/content/templates.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Receipt } from '../decisions/decide.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { groups, users } from '../objects/tables.ts'
import type { Services } from '../services.ts'
import { type Draft, unfinished } from './draft.ts'

/** Through whose eyes a draft is seen. */
export interface Viewer {
  values: TemplateValues
  /** Of the server leaves of the draft, in their order. */
  outcomes: readonly Outcome[]
  /** The keys of the tasks that are done. */
  tasks: readonly string[]
}

/** Templates show their fallbacks, and no condition of the server holds. */
export const asNobody: Viewer = { values: () => undefined, outcomes: [], tasks: [] }

/** A user, with the record of why they would see the draft or not. */
export interface UserViewer extends Viewer {
  name: string | null
  receipt: Receipt
  /** The steps that the user would take; null for what has no steps. */
  path: Path | null
}

interface Parts {
  services: Pick<Services, 'reader'>
  decisions: Decisions
}

/** Undefined when there is no such user. */
export async function asUser(
  { services: { reader }, decisions }: Parts,
  environmentId: EnvironmentId,
  { content, version, document }: Draft,
  userId: string,
): Promise<UserViewer | undefined> {
  const row = await reader.find(environmentId, users, userId)
  if (!row) return undefined
  const problem = unfinished(document)
  if (problem) throw problem
  const groupId = await decisions.currentGroup(environmentId, { userId })
  const group = groupId === undefined ? undefined : await reader.find(environmentId, groups, groupId)
  const of = { user: attributesOf(row), group: attributesOf(group) }
  // A draft changes under the id of its version: what was compiled is that of one revision.
  const inner = { versionId: `${version.id} ${version.revision}`, document }
  const source = { ...content, versionId: version.id, publishedAt: null, isPublished: true, document: version.document }
  const [receipt, { outcomes, metTasks }] = await Promise.all([
    decisions.explain(environmentId, { userId }, source),
    decisions.inside(environmentId, { userId }, inner),
  ])
  return {
    values: (scope, name) => (Object.hasOwn(of[scope], name) ? of[scope][name] : undefined),
    outcomes,
    tasks: metTasks,
    name: nameOf(of.user),
    receipt,
    path: document.type === 'flow' ? pathOf(document, whatPageKnows(document, outcomes)) : null,
  }
}

const attributesOf = (row: { attributesJson: string } | undefined): Attributes =>
  row ? (JSON.parse(row.attributesJson) as Attributes) : {}

const nameOf = ({ name, email }: Attributes): string | null =>
  [name, email].find((value) => typeof value === 'string') ?? null

/** The outcome of a condition inside of the draft; a leaf that the page decides is unknown. */
function whatPageKnows(document: Draft['document'], outcomes: readonly Outcome[]) {
  const outcome = outcomesByLeaf(serverLeavesOf(document), outcomes)
  return (condition: Parameters<typeof outcomeOf>[0]) => outcomeOf(condition, outcome)
}
