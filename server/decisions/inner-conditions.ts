import type { Outcome } from '../../contract/conditions/condition.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { serverLeavesOf } from '../../contract/content/render.ts'
import { Compiler, type Meanings } from '../conditions/compile.ts'
import type { Compiled } from '../conditions/compiled.ts'
import { evaluate } from '../conditions/evaluate.ts'
import type { Facts } from '../conditions/facts.ts'
import type { Needs } from '../conditions/needs.ts'

/** A version of a content, published now or earlier. */
export interface InnerSource {
  readonly versionId: string
  readonly document: ContentDocument
}

/** What the conditions inside of a version come to for a user: those of its steps and tasks. */
export interface InnerOutcomes {
  /** Of its server leaves, in the order of their numbers in its rendered form. */
  readonly outcomes: readonly Outcome[]
  /** The keys of the tasks whose condition is met, whatever the page would find. */
  readonly metTasks: readonly string[]
}

export const NOTHING_INSIDE: InnerOutcomes = { outcomes: [], metTasks: [] }

/** The conditions inside of a version, ready to be evaluated. */
export interface CompiledInner {
  /** Of the environment: segments may change with the next one. */
  readonly revision: string | null
  readonly leaves: readonly Compiled[]
  readonly tasks: readonly (readonly [key: string, condition: Compiled])[]
  readonly needs: Needs
  /** About how many bytes of memory it takes. */
  readonly weight: number
}

/** Whether only the server can decide something inside of the document. */
export function hasServerLeaves(document: ContentDocument): boolean {
  return serverLeavesOf(document).length > 0
}

export function compileInner(revision: string | null, document: ContentDocument, meanings: Meanings): CompiledInner {
  const compiler = new Compiler(meanings)
  const written = serverLeavesOf(document)
  const leaves = written.map((leaf) => compiler.add(leaf))
  const tasks = (document.type === 'checklist' ? document.tasks : []).flatMap(({ key, complete_when }) =>
    complete_when ? [[key, compiler.add(complete_when)] as const] : [],
  )
  const characters = JSON.stringify(written).length + compiler.segmentCharacters
  return { revision, leaves, tasks, needs: compiler.needs, weight: 1_000 + 20 * characters }
}

/** A leaf that the page decides is unknown here, so a task is met only if no such leaf could change that. */
export function evaluateInner({ leaves, tasks }: CompiledInner, facts: Facts): InnerOutcomes {
  return {
    outcomes: leaves.map((leaf) => evaluate(leaf, facts)),
    metTasks: tasks.filter(([, condition]) => evaluate(condition, facts) === true).map(([key]) => key),
  }
}
