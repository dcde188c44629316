import { Batcher } from '../batcher.ts'
import type { FactReader, Subject } from '../conditions/fact-reader.ts'
import { findGuidance } from '../content/guidance-queries.ts'
import { findContentByKey, findPublished } from '../content/queries.ts'
import { findVersion } from '../content/version-queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findMeanings } from '../segments/queries.ts'
import { tuning } from '../tuning.ts'
import { FirstInFirstOut } from '../waiting-items.ts'
import { type CompiledEnvironment, type ContentSource, compileEnvironment } from './compiled-content.ts'
import { ContentCache } from './content-cache.ts'
import { withContent } from './content-facts.ts'
import { type Decided, decide, type Receipt } from './decide.ts'
import type { Page, Situation } from './gates.ts'
import {
  type CompiledInner,
  compileInner,
  evaluateInner,
  hasServerLeaves,
  type InnerOutcomes,
  type InnerSource,
  NOTHING_INSIDE,
} from './inner-conditions.ts'
import { findStandings, type Standing } from './states.ts'

/** For whom to decide, and how much to say. */
export interface DecisionCall extends Subject {
  /** Only the content with this key, also when it is not published: then its draft counts. */
  content?: string | undefined
  hasReceipts?: boolean
  page?: Page | undefined
}

export interface Decision extends Decided {
  groupId: string | null
}

const MOST_VERSIONS = 2_000
const NO_MEANINGS = { segments: () => undefined, keptDays: undefined }

/** Decides what users may see. The published content of an environment is compiled when it is first needed. */
export class Decisions {
  readonly #database: Database
  readonly #facts: FactReader
  readonly #cache: ContentCache
  /** By environment and version. */
  readonly #inner = new Map<string, CompiledInner>()
  readonly #standings = new Map<EnvironmentId, Batcher<string, Standing>>()

  constructor(database: Database, facts: FactReader, cache = new ContentCache()) {
    this.#database = database
    this.#facts = facts
    this.#cache = cache
  }

  async decide(environmentId: EnvironmentId, call: DecisionCall): Promise<Decision> {
    const situation = await this.situation(environmentId, call)
    const { facts, environment } = situation
    const groupId = environment.needs.group ? facts.group?.id : await this.#facts.currentGroup(environmentId, call)
    return { ...decide(situation, call.hasReceipts ?? false), groupId: groupId ?? null }
  }

  /** The record of why a content is shown to a user, or not; undefined when there is no such content. */
  async receipt(environmentId: EnvironmentId, subject: Subject, content: string): Promise<Receipt | undefined> {
    const { receipts } = await this.decide(environmentId, { ...subject, content, hasReceipts: true })
    return receipts[0]
  }

  /** The group that counts for a user when none is named. */
  async currentGroup(environmentId: EnvironmentId, subject: Subject): Promise<string | undefined> {
    return await this.#facts.currentGroup(environmentId, subject)
  }

  /** The same of a version that may not be published yet. */
  async explain(environmentId: EnvironmentId, subject: Subject, source: ContentSource): Promise<Receipt> {
    const standing = await this.#standing(environmentId, subject.userId)
    const environment = compileEnvironment(standing.revision, [], NO_MEANINGS)
    const situation = await this.#withSource(environmentId, source, { environment, standing }, subject)
    return decide(situation, true).receipts[0] as Receipt
  }

  /**
   * What the conditions inside of a version come to for a user at this moment. `standing` is what a decision of the same
   * moment has read already.
   */
  async inside(
    environmentId: EnvironmentId,
    subject: Subject,
    source: InnerSource,
    standing?: Standing,
  ): Promise<InnerOutcomes> {
    if (!hasServerLeaves(source.document)) return NOTHING_INSIDE
    const known = standing ?? (await this.#standing(environmentId, subject.userId))
    const compiled = await this.#compiledInner(environmentId, source, known.revision)
    return evaluateInner(compiled, await this.#facts.read(environmentId, subject, compiled.needs))
  }

  async #compiledInner(
    environmentId: EnvironmentId,
    { versionId, document }: InnerSource,
    revision: string | null,
  ): Promise<CompiledInner> {
    const key = `${environmentId} ${versionId}`
    const known = this.#inner.get(key)
    if (known && known.revision === revision) return known
    const compiled = compileInner(revision, document, await findMeanings(this.#database, environmentId))
    if (this.#inner.size >= MOST_VERSIONS) this.#inner.clear()
    this.#inner.set(key, compiled)
    return compiled
  }

  /**
   * What the decision is made from. It is read together; when the revision that was read is not that of the compiled content,
   * the content is compiled again, and what it needs is read again. So a change counts with the next decision on every node.
   */
  async situation(environmentId: EnvironmentId, { page, content, ...subject }: DecisionCall): Promise<Situation> {
    let environment = this.#cache.get(environmentId) ?? (await this.#compile(environmentId))
    for (;;) {
      const [standing, read] = await Promise.all([
        this.#standing(environmentId, subject.userId),
        this.#facts.read(environmentId, subject, environment.needs),
      ])
      if (standing.revision === environment.revision) {
        const facts = withContent(read, standing.states)
        if (content === undefined) return { environment, standing, facts, page }
        return await this.#ofOne(environmentId, content, { environment, standing, facts, page }, subject)
      }
      environment = await this.#compile(environmentId)
    }
  }

  /** Read before the content: what changes in between is compiled again with the next decision. */
  async #compile(environmentId: EnvironmentId): Promise<CompiledEnvironment> {
    const guidance = await findGuidance(this.#database, environmentId)
    const [rows, meanings] = guidance
      ? await Promise.all([findPublished(this.#database, environmentId), findMeanings(this.#database, environmentId)])
      : [[], NO_MEANINGS]
    const sources = rows.map(({ published_version_id, published_at, ...row }) => ({
      ...row,
      versionId: published_version_id as string,
      publishedAt: published_at,
      isPublished: true,
    }))
    const compiled = compileEnvironment(guidance?.revision ?? null, sources, meanings)
    this.#cache.set(environmentId, compiled)
    return compiled
  }

  /** One content by its key. One that is not published is compiled for this decision alone. */
  async #ofOne(environmentId: EnvironmentId, key: string, situation: Situation, subject: Subject): Promise<Situation> {
    const { environment } = situation
    const published = environment.content.filter((one) => one.key === key)
    if (published.length > 0) return { ...situation, environment: { ...environment, content: published } }
    const row = await findContentByKey(this.#database, environmentId, key)
    const draft = row && (await findVersion(this.#database, environmentId, row.draft_version_id))
    if (!row || !draft) return { ...situation, environment: { ...environment, content: [] } }
    const source = { ...row, versionId: draft.id, publishedAt: null, isPublished: false, document: draft.document }
    return await this.#withSource(environmentId, source, situation, subject)
  }

  async #withSource(
    environmentId: EnvironmentId,
    source: ContentSource,
    situation: Omit<Situation, 'facts'>,
    subject: Subject,
  ): Promise<Situation> {
    const { revision } = situation.standing
    const meanings = await findMeanings(this.#database, environmentId)
    const environment = compileEnvironment(revision, [source], meanings)
    const read = await this.#facts.read(environmentId, subject, environment.needs)
    return { ...situation, environment, facts: withContent(read, situation.standing.states) }
  }

  /** Concurrent decisions of an environment share one statement. */
  #standing(environmentId: EnvironmentId, userId: string): Promise<Standing> {
    const known = this.#standings.get(environmentId)
    if (known) return known.add(userId)
    const batcher = new Batcher<string, Standing>(
      async (batch) => {
        const found = await findStandings(
          this.#database,
          environmentId,
          batch.map(({ item }) => item),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(found[index] as Standing)
      },
      new FirstInFirstOut(tuning.mostIds),
      () => this.#standings.delete(environmentId),
    )
    this.#standings.set(environmentId, batcher)
    return batcher.add(userId)
  }
}
