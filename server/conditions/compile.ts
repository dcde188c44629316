import type { Condition, Leaf, ServerLeaf } from '../../contract/conditions/condition.ts'
import { isServerLeaf } from '../../contract/conditions/kinds.ts'
import { withinKept } from '../../contract/conditions/retention.ts'
import type { Names } from '../../contract/conditions/sentence.ts'
import type { Compiled, CompiledLeaf } from './compiled.ts'
import { compileLeaf } from './leaves.ts'
import { type Needs, noNeeds } from './needs.ts'
import { Probes } from './probes.ts'

/** What a segment leaf refers to. */
export interface NamedCondition {
  readonly name: string
  readonly condition: Condition
}

export type SegmentLookup = (key: string) => NamedCondition | undefined

/** What conditions mean depends on their environment. */
export interface Meanings {
  readonly segments: SegmentLookup
  /** Events are deleted after so many days, and count no longer than that; undefined when they are kept. */
  readonly keptDays: number | undefined
}

/**
 * Compiles conditions that are evaluated together: what they need is collected, and each different probe of events is made
 * once. The meanings are those of the moment of the compilation.
 */
export class Compiler {
  readonly #probes = new Probes()
  readonly #meanings: Meanings
  readonly #compiled = new Map<string, Compiled | undefined>()
  readonly #segments = new Map<string, NamedCondition>()
  readonly #needs = noNeeds()

  constructor(meanings: Meanings) {
    this.#meanings = meanings
  }

  add(condition: Condition): Compiled {
    return this.#part(condition, '', false)
  }

  #part(condition: Condition, path: string, isNegated: boolean): Compiled {
    const below = (key: string) => (path === '' ? key : `${path}.${key}`)
    if ('all' in condition) return this.#group('all', condition.all, below('all'), isNegated)
    if ('any' in condition) return this.#group('any', condition.any, below('any'), isNegated)
    if ('not' in condition) return { kind: 'not', part: this.#part(condition.not, below('not'), !isNegated) }
    return this.#leaf(condition, path, isNegated)
  }

  /** What must be read before what was added can be evaluated. */
  get needs(): Needs {
    return { ...this.#needs, probes: this.#probes.list }
  }

  /** The names of the segments that the conditions refer to, for sentences. */
  get names(): Names {
    return { segments: new Map([...this.#segments].map(([key, { name }]) => [key, name])) }
  }

  /** These segments alone: a look-up of an environment keeps all that it has. */
  get segments(): SegmentLookup {
    const segments = this.#segments
    return (key) => segments.get(key)
  }

  /** How long the conditions of these segments are in all, as JSON. */
  get segmentCharacters(): number {
    return [...this.#segments.values()].reduce((sum, { condition }) => sum + JSON.stringify(condition).length, 0)
  }

  #group(kind: 'all' | 'any', parts: readonly Condition[], path: string, isNegated: boolean): Compiled {
    return { kind, parts: parts.map((part, index) => this.#part(part, `${path}[${index}]`, isNegated)) }
  }

  #leaf(written: Leaf, path: string, isNegated: boolean): CompiledLeaf {
    const leaf = 'event' in written ? withinKept(written, this.#meanings.keptDays) : written
    const place = { kind: 'leaf', leaf, path, isNegated } as const
    // A leaf that the page decides is not known here.
    if (!isServerLeaf(leaf)) return { ...place, test: () => null, found: () => ({ value: null }) }
    this.#need(leaf)
    const segment = 'segment' in leaf ? this.#segment(leaf.segment) : undefined
    return { ...place, ...compileLeaf(leaf, this.#probes, segment) }
  }

  #need(leaf: ServerLeaf): void {
    if ('attribute' in leaf) this.#needs.attributes.add(`${leaf.of ?? 'user'} ${leaf.attribute}`)
    if ('attribute' in leaf && leaf.of !== undefined && leaf.of !== 'user') this.#needs.group = true
    if ('event' in leaf && leaf.by === 'group') this.#needs.group = true
    if ('content' in leaf) this.#needs.content.add(leaf.content)
    if ('answer' in leaf) this.#needs.answers.add(leaf.answer)
  }

  /** Undefined while it is being compiled, which would be a cycle, and when it does not exist: then it is unknown. */
  #segment(key: string): Compiled | undefined {
    if (this.#compiled.has(key)) return this.#compiled.get(key)
    this.#compiled.set(key, undefined)
    const found = this.#meanings.segments(key)
    if (!found) return undefined
    this.#segments.set(key, found)
    const compiled = this.add(found.condition)
    this.#compiled.set(key, compiled)
    return compiled
  }
}
