import { durationMs } from '../../contract/conditions/duration.ts'
import type { Names } from '../../contract/conditions/sentence.ts'
import type { ContentDocument, ContentType } from '../../contract/content/document.ts'
import { renderTarget } from '../../contract/content/render.ts'
import type { DecidedContent, RenderedTarget } from '../../contract/content/rendered.ts'
import { Compiler, type Meanings } from '../conditions/compile.ts'
import type { Compiled } from '../conditions/compiled.ts'
import type { Needs } from '../conditions/needs.ts'

/** A content with its conditions ready to be evaluated. */
export interface CompiledContent {
  readonly id: string
  readonly key: string
  readonly type: ContentType
  readonly versionId: string
  /** Milliseconds since 1970: the earlier one comes first among those of the same priority. */
  readonly publishedAt: number
  readonly isPublished: boolean
  readonly document: ContentDocument
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

/** A source with its document. */
type ParsedSource = Omit<ContentSource, 'document'> & { document: ContentDocument }

const STANDARD_PRIORITY = 50

/** Ordered: high priority first, then the earlier published, then by id. */
export function compileEnvironment(
  revision: string | null,
  sources: readonly ContentSource[],
  meanings: Meanings,
): CompiledEnvironment {
  // A fifth more for its parts, which are compiled when they are asked for and share the documents.
  const weight = sources.reduce((sum, { document }) => sum + 12 * document.length, 1_000)
  const parsed = sources.map((source) => ({ ...source, document: JSON.parse(source.document) as ContentDocument }))
  return { ...compileParsed(revision, parsed, meanings), weight }
}

function compileParsed(
  revision: string | null,
  sources: readonly ParsedSource[],
  meanings: Meanings,
): CompiledEnvironment {
  const compiler = new Compiler(meanings)
  const content = sources.map((source) => compileContent(compiler, source)).sort(byRank)
  // The states of content are read with the revision.
  const needs = { ...compiler.needs, content: new Set<string>() }
  const parts = new Map<string, CompiledEnvironment>()
  const alone = (name: string) => {
    const source = sources.find(({ id, key }) => key === name || id === name)
    if (!source) return undefined
    const part = parts.get(source.id) ?? compileParsed(revision, [source], meanings)
    parts.set(source.id, part)
    return part
  }
  return { revision, content, needs, names: compiler.names, weight: 0, alone }
}

function compileContent(compiler: Compiler, source: ParsedSource): CompiledContent {
  const { id, key, type, versionId, isPublished, document } = source
  const { who, where, when = {} } = document
  return {
    ...{ id, key, type, versionId, isPublished, document },
    publishedAt: source.publishedAt === null ? 0 : Date.parse(source.publishedAt),
    who: who && compiler.add(who),
    where: where && compiler.add(where),
    priority: when.priority ?? STANDARD_PRIORITY,
    decided: {
      ...{ id, key, type, slot: type, version_id: versionId, where: null },
      wait_ms: when.wait === undefined ? 0 : durationMs(when.wait),
      target: firstTarget(document),
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
