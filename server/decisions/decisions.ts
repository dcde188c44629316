import { setImmediate as immediate } from 'node:timers/promises'
import type { Names } from '../../contract/conditions/sentence.ts'
import { GatheredReads } from '../batches/gathered-reads.ts'
import { evaluate } from '../conditions/evaluate.ts'
import type { FactReader, Subject } from '../conditions/fact-reader.ts'
import { findGuidance } from '../content/guidance-queries.ts'
import { findContentByKey, findPublished } from '../content/queries.ts'
import { findVersion } from '../content/version-queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { CreationTimes } from '../history/user-history.ts'
import { findMeanings } from '../segments/queries.ts'
import { WeightedCache } from '../weighted-cache.ts'
import {
  type CompiledContent,
  type CompiledEnvironment,
  type ContentSource,
  compileEnvironment,
  contentNamed,
} from './compiled-content.ts'
import { withContent } from './content-facts.ts'
import { type Decided, decide, type Receipt, withReason } from './decide.ts'
import type { GateName, Page, Situation } from './gates.ts'
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
  /** What receipts call content; its keys without it. */
  contentNames?: Names['content']
  page?: Page | undefined
}

export interface Decision extends Decided {
  isUserKnown: boolean
  groupId: string | null
  /** The named group, when the user exists and is not in it. */
  foreignGroup: string | undefined
}

export interface DecidedPublished {
  content: CompiledContent
  receipt: Receipt
  groupId: string | null
  /** When the user and the group were created whose values the receipt has. */
  createdAt: CreationTimes
}

/** The decision about one published content, if there is such a content, and what was read for it. */
export interface PublishedSituation extends Pick<Situation, 'facts' | 'standing'> {
  decided: DecidedPublished | undefined
}

/** `namesGroup`: the id of the current group is wanted, whatever the conditions need. */
type SituationCall = Omit<DecisionCall, 'hasReceipts' | 'contentNames'> & { namesGroup?: boolean }

interface ExplainOptions {
  contentNames?: Names['content']
  /** The reason is this gate, if it is closed. */
  about?: GateName | undefined
  /** A user of several groups is told of with the one that fits, as counts and publishing mean it. */
  isOfAnyGroup?: boolean
}

/**
 * Three hundred environments, each with fifty contents for whom one or two conditions decide. Half of it is for contents that
 * are decided alone.
 */
const MOST_CONTENT = 128 * 1024 * 1024
const MOST_INNER = 16 * 1024 * 1024
const NO_MEANINGS = { segments: () => undefined, keptDays: undefined }

/** The same, with sentences that call content by these names. */
function named(situation: Situation, content: Names['content']): Situation {
  const { environment } = situation
  return content
    ? { ...situation, environment: { ...environment, names: { ...environment.names, content } } }
    : situation
}

/** Decides what users may see. The published content of an environment is compiled when it is first needed. */
export class Decisions {
  readonly #database: Database
  readonly #facts: FactReader
  readonly #cache = new WeightedCache<EnvironmentId, CompiledEnvironment>(MOST_CONTENT, ({ weight }) => weight)
  /** By environment and version. */
  readonly #inner = new WeightedCache<string, CompiledInner>(MOST_INNER, ({ weight }) => weight)
  readonly #standings: GatheredReads<string, Standing>
  #lastReceipts: Promise<void> = Promise.resolve()

  constructor(database: Database, facts: FactReader) {
    this.#database = database
    this.#facts = facts
    this.#standings = new GatheredReads(database, findStandings)
  }

  async decide(environmentId: EnvironmentId, call: DecisionCall): Promise<Decision> {
    const { hasReceipts = false, contentNames, content, ...subject } = call
    const asked = { ...subject, content, namesGroup: true }
    // A receipt names what comes before its content, so the rest is decided too.
    const all = await this.situation(environmentId, hasReceipts ? { ...asked, content: undefined } : asked)
    const isAmongAll = content === undefined || contentNamed(all.environment.content, content) !== undefined
    const situation = isAmongAll ? all : await this.situation(environmentId, asked)
    const { user, groupId = null, foreignGroup } = situation.facts
    if (hasReceipts) await this.#receiptTurn()
    const decided = decide(named(situation, contentNames), hasReceipts)
    const askedId = content === undefined ? undefined : contentNamed(situation.environment.content, content)?.id
    const isAsked = (id: string) => content === undefined || id === askedId
    return {
      content: decided.content.filter(({ id }) => isAsked(id)),
      receipts: decided.receipts.filter(({ content_id }) => isAsked(content_id)),
      isUserKnown: user !== undefined,
      groupId,
      foreignGroup: user && foreignGroup,
    }
  }

  /**
   * Receipts of all content can have megabytes. Those of a decision are made, and sent or refused, before those of the next:
   * forty of 64 MB, which were read together, were in memory together.
   */
  #receiptTurn(): Promise<void> {
    this.#lastReceipts = this.#lastReceipts.then(() => immediate())
    return this.#lastReceipts
  }

  /** The decision about one published content, by its key or its id. Its receipt is to be kept. */
  async decidePublished(
    environmentId: EnvironmentId,
    call: Subject & Pick<DecisionCall, 'page'>,
    content: string,
  ): Promise<PublishedSituation> {
    const { situation } = await this.#read(environmentId, { ...call, content, namesGroup: true })
    const { facts, standing } = situation
    const [compiled] = situation.environment.content
    if (!compiled) return { facts, standing, decided: undefined }
    const [receipt] = decide({ ...situation, facts: { ...facts, isKept: true } }, true).receipts
    return {
      ...{ facts, standing },
      decided: {
        ...{ content: compiled, receipt: receipt as Receipt, groupId: facts.groupId ?? null },
        createdAt: { user: facts.user?.createdAt, group: facts.group?.createdAt },
      },
    }
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
  async explain(
    environmentId: EnvironmentId,
    subject: Subject,
    source: ContentSource,
    { contentNames, about, isOfAnyGroup = false }: ExplainOptions = {},
  ): Promise<Receipt> {
    const standing = await this.#standings.find(environmentId, subject.userId)
    const environment = compileEnvironment(standing.revision, [], NO_MEANINGS)
    const read = await this.#withSource(environmentId, source, { environment, standing }, subject)
    const situation = named(
      isOfAnyGroup ? await this.#ofFittingGroup(environmentId, subject, read) : read,
      contentNames,
    )
    const receipt = decide(situation, true).receipts[0] as Receipt
    return about === undefined ? receipt : withReason(receipt, situation, about)
  }

  /** With the group of the user that fits *who*, where several could be meant; as it is when none does. */
  async #ofFittingGroup(environmentId: EnvironmentId, { userId }: Subject, situation: Situation): Promise<Situation> {
    const { environment, facts, standing } = situation
    const [{ who, rules } = {}] = environment.content
    if (!who || !rules?.who || facts.otherGroups.length < 2) return situation
    const asked = { condition: rules.who, ...(await findMeanings(this.#database, environmentId)) }
    const ofGroups = await this.#facts.readForEachGroup(environmentId, userId, environment.needs, asked, facts.now)
    const fitting = ofGroups
      .map((each) => withContent(each, standing.states))
      .find((each) => evaluate(who, each) === true)
    return fitting ? { ...situation, facts: fitting } : situation
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
    const known = standing ?? (await this.#standings.find(environmentId, subject.userId))
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
    this.#inner.set(key, compiled)
    return compiled
  }

  /** What the decision is made from. A content that is named and not published counts with its draft. */
  async situation(environmentId: EnvironmentId, call: SituationCall): Promise<Situation> {
    const { situation, isUnpublished } = await this.#read(environmentId, call)
    return isUnpublished ? await this.#ofDraft(environmentId, call, situation) : situation
  }

  /**
   * What the published content needs, or that of one of them. It is read together; when the revision that was read is not
   * that of the compiled content, the content is compiled again, and what it needs is read again. So a change counts with the
   * next decision on every node.
   */
  async #read(environmentId: EnvironmentId, { page, content, namesGroup, ...subject }: SituationCall) {
    let all = this.#cache.get(environmentId) ?? (await this.#compile(environmentId))
    for (;;) {
      const one = content === undefined ? all : all.alone(content)
      const environment = one ?? compileEnvironment(all.revision, [], NO_MEANINGS)
      const { needs } = environment
      const [standing, read] = await Promise.all([
        this.#standings.find(environmentId, subject.userId),
        this.#facts.read(environmentId, subject, needs, namesGroup || needs.group),
      ])
      if (standing.revision === environment.revision) {
        const situation: Situation = { environment, standing, facts: withContent(read, standing.states), page }
        return { situation, isUnpublished: one === undefined }
      }
      all = await this.#compile(environmentId)
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

  /** It is compiled for this decision alone. */
  async #ofDraft(environmentId: EnvironmentId, call: SituationCall, situation: Situation): Promise<Situation> {
    const row = await findContentByKey(this.#database, environmentId, call.content as string)
    const draft = row && (await findVersion(this.#database, environmentId, row.draft_version_id))
    if (!row || !draft) return situation
    const source = { ...row, versionId: draft.id, publishedAt: null, isPublished: false, document: draft.document }
    return await this.#withSource(environmentId, source, situation, call)
  }

  async #withSource(
    environmentId: EnvironmentId,
    source: ContentSource,
    situation: Omit<Situation, 'facts'>,
    { userId, groupId, namesGroup }: Subject & Pick<SituationCall, 'namesGroup'>,
  ): Promise<Situation> {
    const { revision } = situation.standing
    const compiled = compileEnvironment(revision, [source], await findMeanings(this.#database, environmentId))
    const needs = { ...compiled.needs, isAskedOnce: true }
    const environment = { ...compiled, needs }
    const read = await this.#facts.read(environmentId, { userId, groupId }, needs, namesGroup || needs.group)
    return { ...situation, environment, facts: withContent(read, situation.standing.states) }
  }
}
