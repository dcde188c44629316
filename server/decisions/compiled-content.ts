import type { Condition } from '../../contract/conditions/condition.ts'
import { durationMs } from '../../contract/conditions/duration.ts'
import { isCondition } from '../../contract/conditions/problems.ts'
import type { Names } from '../../contract/conditions/sentence.ts'
import type { ContentDocument, ContentType, When } from '../../contract/content/document.ts'
import { renderTarget } from '../../contract/content/render.ts'
import type { DecidedContent, RenderedTarget } from '../../contract/content/rendered.ts'
import { STANDARD_PRIORITY } from '../../contract/content/standard-when.ts'
import { Compiler, type Meanings } from '../conditions/compile.ts'
import type { Compiled } from '../conditions/compiled.ts'
import type { Needs } from '../conditions/needs.ts'
import { storedId } from '../ids.ts'
import { WeightedCache } from '../weighted-cache.ts'

/** What a document says about who sees it, where and when. What it shows is not kept here: it can be much larger. */
interface Rules {
  readonly who: Condition | undefined
  readonly where: Condition | undefined
  readonly when: When | undefined
}

/** A content with its conditions ready to be evaluated. */
export interface CompiledContent {
  readonly id: string
  readonly key: string
  readonly type: ContentType
  readonly versionId: string
  /** Milliseconds since 1970: the earlier one comes first among those of the same priority. */
  readonly publishedAt: number
  readonly isPublished: boolean
  readonly rules: Rules
  /** A draft may have a rule that is not finished, which is not compiled. */
  readonly who: Compiled | undefined
  readonly where: Compiled | undefined
  readonly priority: number
  /** What is answered when the page has nothing to decide. */
  readonly decided: DecidedContent
}

/** The content of an environment at a revision, and what must be read to decide about it. */
export interface CompiledEnvironment {
  readonly revision: string | null
  readonly content: readonly CompiledContent[]
  readonly needs: Needs
  readonly names: Names
  /** About how many bytes of memory it takes. */
  readonly weight: number
  /** The same with one content alone, by its key or its id: it needs less. Undefined when the environment has no such content. */
  alone(name: string): CompiledEnvironment | undefined
}

/** What is compiled: the version of a content that counts. */
export interface ContentSource {
  id: string
  key: string
  type: ContentType
  versionId: string
  publishedAt: string | null
  isPublished: boolean
  /** JSON text. */
  document: string
}

/** A source with what is used of its document. */
type ParsedSource = Omit<ContentSource, 'document'> & { rules: Rules; target: RenderedTarget | null }

/** Ordered: high priority first, then the earlier published, then by id. */
export function compileEnvironment(
  revision: string | null,
  sources: readonly ContentSource[],
  meanings: Meanings,
): CompiledEnvironment {
  const compiled = compileParsed(revision, sources.map(parse), meanings)
  return { ...compiled, weight: 1_000 + 2 * compiled.weight }
}

function parse({ document, ...source }: ContentSource): ParsedSource {
  const parsed = JSON.parse(document) as ContentDocument
  const { who, where, when } = parsed
  return { ...source, rules: { who, where, when }, target: firstTarget(parsed) }
}

/** Measured: a content takes 1.5 KB, and 14 bytes for each character of its rules and of the segments that they name. */
function weightOf(sources: readonly ParsedSource[], segmentCharacters: number): number {
  const characters = sources.reduce((sum, { rules, target }) => sum + JSON.stringify([rules, target]).length, 0)
  return 1_500 * sources.length + 14 * (characters + segmentCharacters)
}

/** The weight is without that of the contents alone, which take as much again at most. */
function compileParsed(
  revision: string | null,
  sources: readonly ParsedSource[],
  meanings: Meanings,
): CompiledEnvironment {
  const compiler = new Compiler(meanings)
  const content = sources.map((source) => compileContent(compiler, source)).sort(byRank)
  // The states of content are read with the revision.
  const needs = { ...compiler.needs, content: new Set<string>() }
  const weight = weightOf(sources, compiler.segmentCharacters)
  const own = { segments: compiler.segments, keptDays: meanings.keptDays }
  return { revision, content, needs, names: compiler.names, weight, alone: eachAlone(revision, sources, own, weight) }
}

/** Contents alone, compiled when they are asked for. Each has its segments again, so only those that were used last are kept. */
function eachAlone(
  revision: string | null,
  sources: readonly ParsedSource[],
  meanings: Meanings,
  mostWeight: number,
): CompiledEnvironment['alone'] {
  const parts = new WeightedCache<string, CompiledEnvironment>(mostWeight, ({ weight }) => weight)
  return (name) => {
    const source = contentNamed(sources, name)
    if (!source) return undefined
    const known = parts.get(source.id)
    if (known) return known
    const part = compileParsed(revision, [source], meanings)
    parts.set(source.id, part)
    return part
  }
}

/** By its key, or else by its id. */
export function contentNamed<Item extends { id: string; key: string }>(
  items: readonly Item[],
  name: string,
): Item | undefined {
  return items.find(({ key }) => key === name) ?? items.find(({ id }) => id === storedId(name))
}

function compileContent(compiler: Compiler, source: ParsedSource): CompiledContent {
  const { id, key, type, versionId, isPublished, rules, target } = source
  const { who, where, when = {} } = rules
  const isFinished = (rule: Condition, place: 'who' | 'page') => isPublished || isCondition(rule, place)
  return {
    ...{ id, key, type, versionId, isPublished, rules },
    publishedAt: source.publishedAt === null ? 0 : Date.parse(source.publishedAt),
    who: who && isFinished(who, 'who') ? compiler.add(who) : undefined,
    where: where && isFinished(where, 'page') ? compiler.add(where) : undefined,
    priority: when.priority ?? STANDARD_PRIORITY,
    decided: {
      ...{ id, key, type, slot: type, version_id: versionId, where: null },
      wait_ms: when.wait === undefined ? 0 : durationMs(when.wait),
      target,
    },
  }
}

const texts = new WeakMap<DecidedContent, string>()

/** The JSON text of what is decided. That of a content whose page has nothing to decide is made once. */
export function decidedText(decided: DecidedContent): string {
  const text = texts.get(decided) ?? JSON.stringify(decided)
  if (decided.where === null) texts.set(decided, text)
  return text
}

function firstTarget(document: ContentDocument): RenderedTarget | null {
  if (document.type === 'launcher') return renderTarget(document.target)
  const first = document.type === 'flow' ? document.steps[0] : undefined
  return first?.type === 'tooltip' ? renderTarget(first.target) : null
}

function byRank(first: CompiledContent, second: CompiledContent): number {
  const order = second.priority - first.priority || first.publishedAt - second.publishedAt
  return order || (first.id < second.id ? -1 : 1)
}
