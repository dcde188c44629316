import { type AnyDataType, type Attributes, comparableType, internalAttributes, isInternal } from '../attributes.ts'
import type { AttributeLeaf, Condition, EventLeaf, Leaf } from '../conditions/condition.ts'
import { ExpandedLeaves, expandedProblem } from '../conditions/expanded.ts'
import { eachLeaf } from '../conditions/kinds.ts'
import { comparedType } from '../conditions/operators.ts'
import { longWindow } from '../conditions/retention.ts'
import type { DocumentProblem } from './check.ts'
import { contrastWarnings } from './contrast.ts'
import type { Action, Block, ContentDocument } from './document.ts'
import { flowProblems } from './flow-problems.ts'
import { placedActions, placedConditions, placedLeaves } from './references.ts'
import { stabilityOf } from './stability.ts'
import { STANDARD_FREQUENCY } from './standard-when.ts'
import { templateParts } from './templates.ts'
import { defaultTheme, type ThemeDocument } from './theme.ts'
import { blockListsOf, documentProblems, questionsOf } from './validate.ts'

/** What a document may refer to in its environment. */
export interface Surroundings {
  /** The conditions of the segments, by their keys. */
  segments: ReadonlyMap<string, Condition>
  content: ReadonlySet<string>
  themes: ReadonlyMap<string, ThemeDocument>
  /** The type of an attribute that has been seen, by `user.plan`, `group.seats`, `membership.role` or `event.amount`. */
  attributes: ReadonlyMap<string, AnyDataType>
  /** The attributes of users that pages do not write. */
  ofBackEnd?: ReadonlySet<string>
  /** Older events are deleted; undefined when they are kept. */
  keptDays?: number | undefined
}

/** Everything that keeps a draft from being published. While it is unfinished, that is what is said of it. */
export function draftBlockers(draft: ContentDocument, known: Surroundings): DocumentProblem[] {
  const unfinished = documentProblems(draft)
  return unfinished.length > 0 ? unfinished : publishingProblems(draft, known)
}

/** Everything that keeps a valid document from being published. */
export function publishingProblems(document: ContentDocument, known: Surroundings): DocumentProblem[] {
  return [
    ...(document.type === 'flow' ? flowProblems(document) : []),
    ...(document.type === 'banner' && document.blocks.length === 0
      ? [{ path: 'blocks', message: 'the banner has no blocks: add one' }]
      : []),
    ...themeProblem(document, known),
    ...sizeProblems(document, known),
    ...placedLeaves(document).flatMap(({ leaf, path }) => leafProblems(leaf, path, known)),
    ...placedActions(document).flatMap(({ action, path }) => actionProblems(action, path, document, known)),
  ]
}

function actionProblems(
  action: Action,
  path: string,
  { type }: ContentDocument,
  known: Surroundings,
): DocumentProblem[] {
  const move = type === 'flow' ? undefined : (['next', 'previous', 'go_to'] as const).find((name) => name in action)
  if (move) return [{ path: `${path}.${move}`, message: `a ${type} has no steps: use another action, such as end` }]
  if ('start' in action) return missing(known.content, action.start, `${path}.start`, 'content')
  return 'track' in action ? internalProblems(action.attributes ?? {}, `${path}.attributes`, known) : []
}

/** An event with such an attribute is refused, and would be lost. A name that was never seen becomes internal with the content. */
function internalProblems(attributes: Attributes, path: string, known: Surroundings): DocumentProblem[] {
  return Object.keys(attributes)
    .filter((name) => {
      const type = known.attributes.get(`event.${name}`)
      return type === undefined ? Object.hasOwn(internalAttributes, name) : isInternal(type)
    })
    .map((name) => ({
      path: `${path}.${name}`,
      message: `\`${name}\` is written by Usher itself: leave it out, or use another name`,
    }))
}

function themeProblem({ theme }: ContentDocument, { themes }: Surroundings): DocumentProblem[] {
  if (theme === undefined || theme === defaultTheme.key || themes.has(theme)) return []
  return [{ path: 'theme', message: `there is no theme \`${theme}\`` }]
}

function sizeProblems(document: ContentDocument, { segments }: Surroundings): DocumentProblem[] {
  const leaves = new ExpandedLeaves((key) => segments.get(key))
  return placedConditions(document).flatMap(({ condition, path }) => {
    const message = expandedProblem(leaves.of(condition))
    return message === undefined ? [] : [{ path, message }]
  })
}

function leafProblems(leaf: Leaf, path: string, known: Surroundings): DocumentProblem[] {
  if ('segment' in leaf) return segmentProblems(leaf.segment, `${path}.segment`, known)
  if ('content' in leaf) return missing(known.content, leaf.content, `${path}.content`, 'content')
  if ('answer' in leaf) return missing(known.content, leaf.answer, `${path}.answer`, 'content')
  if ('attribute' in leaf) return typeProblem(leaf, leaf.of ?? 'user', path, known)
  return 'event' in leaf ? eventProblems(leaf, path, known) : []
}

function missing(keys: Pick<ReadonlySet<string>, 'has'>, key: string, path: string, kind: string): DocumentProblem[] {
  return keys.has(key) ? [] : [{ path, message: `there is no ${kind} \`${key}\`` }]
}

function typeProblem(
  leaf: Pick<AttributeLeaf, 'attribute' | 'is' | 'value'>,
  scope: string,
  path: string,
  { attributes }: Surroundings,
): DocumentProblem[] {
  const defined = attributes.get(`${scope}.${leaf.attribute}`)
  const type = defined && comparableType(defined)
  const compared = comparedType(leaf)
  if (type === undefined || compared === undefined || type === compared) return []
  return [
    { path: `${path}.is`, message: `\`${leaf.attribute}\` is a ${type}, and \`${leaf.is}\` compares a ${compared}` },
  ]
}

function eventProblems(leaf: EventLeaf, path: string, known: Surroundings): DocumentProblem[] {
  const { where = [] } = leaf
  return [
    ...windowProblems(leaf, path, known),
    ...where.flatMap((one, index) => typeProblem(one, 'event', `${path}.where[${index}]`, known)),
  ]
}

/** A window that is written down and longer than events are kept. "Ever" is as long as they are kept. */
function windowProblems(leaf: Leaf, path: string, { keptDays }: Surroundings): DocumentProblem[] {
  const long = keptDays === undefined ? undefined : longWindow(leaf, keptDays, Date.now())
  if (!long?.field) return []
  return [{ path: `${path}.${long.field}`, message: `${long.words}, and events are kept for ${keptDays} days` }]
}

/** Also what the segments that it names look back on, and the content that they name. Each segment is looked at once. */
function segmentProblems(
  key: string,
  path: string,
  known: Surroundings,
  seen: Set<string> = new Set(),
): DocumentProblem[] {
  const condition = known.segments.get(key)
  if (!condition) return missing(known.segments, key, path, 'segment')
  if (seen.has(key)) return []
  seen.add(key)
  const problems: DocumentProblem[] = []
  eachLeaf(condition, (leaf, at) => {
    if ('segment' in leaf) {
      problems.push(...segmentProblems(leaf.segment, path, known, seen))
      return
    }
    const named = 'content' in leaf ? leaf.content : 'answer' in leaf ? leaf.answer : undefined
    if (named !== undefined && !known.content.has(named))
      problems.push({ path, message: `the segment \`${key}\` names the content \`${named}\`, which there is not` })
    for (const { message } of windowProblems(leaf, at, known))
      problems.push({ path, message: `the segment \`${key}\` ${message}` })
  })
  return problems
}

/** What to know before it is published. */
export function publishingWarnings(document: ContentDocument, { themes, ofBackEnd }: Surroundings): DocumentProblem[] {
  const theme = themes.get(document.theme ?? defaultTheme.key) ?? defaultTheme
  return [
    ...weakTargets(document),
    ...placedActions(document).flatMap(({ action, path }) =>
      'set' in action && ofBackEnd?.has(action.set) ? [ignoredSet(action.set, path)] : [],
    ),
    ...uncountedStarts(document),
    ...unshownQuestions(document),
    ...unfilledTemplates(document),
    ...(blockListsOf(document).length > 0 ? contrastWarnings(theme) : []),
  ]
}

const ignoredSet = (name: string, path: string): DocumentProblem => ({
  path: `${path}.set`,
  message: `\`${name}\` is written by the back end, so a page does not set it: let anyone write it, or use another name`,
})

/** The number would be ignored, and its author expects it to be shown so often. */
function uncountedStarts({ when }: ContentDocument): DocumentProblem[] {
  if (when?.at_most === undefined || (when.frequency ?? STANDARD_FREQUENCY) !== 'once') return []
  const message = 'has no effect: it is shown once. Choose another frequency, such as until_completed'
  return [{ path: 'when.at_most', message }]
}

/** An application that shows it by the API may ask them. */
function unshownQuestions(document: ContentDocument): DocumentProblem[] {
  if (document.type !== 'banner') return []
  return questionsOf(document).map(({ path }) => ({
    path: `${path}.question`,
    message: 'the script shows no questions in a banner: ask in a flow',
  }))
}

/** Texts, labels and addresses have templates; everything else is shown and sent as it is written. */
function unfilledTemplates(document: ContentDocument): DocumentProblem[] {
  const fields = [
    ...blockListsOf(document).flatMap(({ blocks, path }) =>
      blocks.map((block, index) => ({ ...plainFields(block), path: `${path}[${index}]` })),
    ),
    ...placedActions(document).flatMap(({ action, path }) =>
      'set' in action || 'track' in action ? [{ value: action, path }] : [],
    ),
  ]
  return fields.flatMap(({ path, ...texts }) =>
    templateParts(JSON.stringify(texts)).some((part) => typeof part !== 'string')
      ? [{ path, message: 'a template is filled in texts, labels and addresses only: here it stays as it is written' }]
      : [],
  )
}

const plainFields = (block: Block) => {
  if ('image' in block) return { alt: block.alt }
  if ('video' in block) return { title: block.title }
  if (!('question' in block)) return {}
  const { options, other, low, high } = block
  return { options, other, low, high }
}

function weakTargets(document: ContentDocument): DocumentProblem[] {
  const targets =
    document.type === 'flow'
      ? document.steps.flatMap((step, index) =>
          step.type === 'tooltip' ? [{ target: step.target, path: `steps[${index}].target` }] : [],
        )
      : document.type === 'launcher'
        ? [{ target: document.target, path: 'target' }]
        : []
  return targets
    .filter(({ target }) => target.locators.every((locator) => stabilityOf(locator).level === 'weak'))
    .map(({ path }) => ({
      path,
      message: 'the target is weak: it rests on positions or generated names. Add a testid',
    }))
}
