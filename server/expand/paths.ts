import { limits } from '../../contract/limits.ts'
import { errors } from '../errors.ts'

/** The fields of each object that can be expanded, and their kinds. */
export const expandable = {
  user: { groups: 'group', memberships: 'group_membership' },
  group: { memberships: 'group_membership', users: 'user' },
  group_membership: { group: 'group', user: 'user' },
  event: { group: 'group', user: 'user' },
} as const satisfies Record<string, Record<string, string>>

export type ObjectKind = keyof typeof expandable

/** The same of guided flows, whose objects are not rendered by PostgreSQL (server/content/views.ts). */
const contentExpandable = {
  content: { draft_version: 'content_version', published_version: 'content_version' },
  content_version: { content: 'content', document: 'document', questions: 'question', tasks: 'task' },
  document: {},
  question: {},
  task: {},
} as const satisfies Record<string, Record<string, string>>

const sessionExpandable = {
  content_session: {
    answers: 'content_session_answer',
    content: 'content',
    group: 'group',
    receipt: 'receipt',
    user: 'user',
    version: 'content_version',
  },
  content_session_answer: {},
  receipt: {},
} as const satisfies Record<string, Record<string, string>>

const paths = { ...sessionExpandable, ...contentExpandable, ...expandable }
export type ExpandableKind = keyof typeof paths

/** The fields to expand, each with what to expand below it. */
export type ExpandTree = ReadonlyMap<string, ExpandTree>

const NONE: ExpandTree = new Map()
const MOST_PATHS = 100

type Given = string | readonly string[] | null | undefined

/**
 * Reads `expand`, from the query and from the body. A value may be a list with commas; `user_id` means the same as `user`.
 */
export function parseExpand(root: ExpandableKind, inQuery: Given, inBody?: Given): ExpandTree {
  if (!inQuery && !inBody) return NONE
  const paths = [inQuery ?? [], inBody ?? []].flat(2).flatMap((text) => text.split(','))
  if (paths.length > MOST_PATHS) throw errors.invalidParams([`expand: must have at most ${MOST_PATHS} paths`])
  const tree: Tree = new Map()
  const problems = paths.flatMap((path) => addPath(tree, root, path) ?? [])
  if (problems.length > 0) throw errors.invalidParams(problems)
  return tree
}

/** A text that is equal for equal trees. */
export function treeText(tree: ExpandTree): string {
  return [...tree].map(([field, subtree]) => `${field}(${treeText(subtree)})`).join()
}

type Tree = Map<string, Tree>

function addPath(tree: Tree, root: ExpandableKind, path: string): string | undefined {
  const steps = path.split('.')
  if (steps.length > limits.expandLevels)
    return `expand: '${shorten(path)}' has more than ${limits.expandLevels} levels; ${pathsFrom(root)}`
  let kind: ExpandableKind = root
  let node = tree
  for (const step of steps) {
    const fields: Record<string, ExpandableKind> = paths[kind]
    const field = Object.hasOwn(fields, step) ? step : step.replace(/_id$/, '')
    const next = Object.hasOwn(fields, field) && (field === step || step === `${field}_id`) ? fields[field] : undefined
    if (next === undefined || (field !== step && field.endsWith('s'))) {
      return `expand: '${shorten(path)}' is not a path; ${fieldsOf(kind)}`
    }
    const child = node.get(field) ?? new Map()
    node.set(field, child)
    kind = next
    node = child
  }
  return undefined
}

function fieldsOf(kind: ExpandableKind): string {
  const fields = Object.keys(paths[kind]).join(', ')
  return `${kind === 'event' ? 'an' : 'a'} ${kind} can expand ${fields === '' ? 'nothing' : fields}`
}

/** The paths that exist, of up to four levels: what each object of this kind of list can expand. */
function pathsFrom(root: ExpandableKind): string {
  const kinds = [expandable, contentExpandable].find((some) => Object.hasOwn(some, root)) ?? paths
  return (Object.keys(kinds) as ExpandableKind[])
    .filter((kind) => Object.keys(paths[kind]).length > 0)
    .map(fieldsOf)
    .join('; ')
}

const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
