import type { Attributes } from '../../../contract/attributes.ts'
import type { Condition } from '../../../contract/conditions/condition.ts'
import { durationMs, isDuration } from '../../../contract/conditions/duration.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { readDateTime } from '../../../contract/datetime.ts'
import { compileEnvironment } from '../../decisions/compiled-content.ts'
import { decide } from '../../decisions/decide.ts'
import type { ContentState } from '../../decisions/states.ts'
import { situationIn, type World } from '../../decisions/world.ts'
import { firstStep } from './first-step.ts'

/**
 * A case of a file `*.test.json`: a user with attributes, groups and events, and what is expected. Times are date-times, or
 * durations such as `3d`, which mean so long ago.
 */
export interface TestCase {
  name?: string
  now?: string
  user?: { id?: string; attributes?: Attributes; created_at?: string }
  groups?: { id: string; attributes?: Attributes; membership?: Attributes }[]
  group?: string
  events?: { name: string; time?: string; attributes?: Attributes; group?: string }[]
  /** By the key of the content. */
  seen?: Record<string, { started?: number; time?: string; completed?: string; dismissed?: string; ended?: string }>
  segments?: Record<string, Condition>
  guidance?: { off?: boolean; quiet?: string }
  expect: {
    shown?: string[]
    content?: string
    outcome?: 'show' | 'hide'
    reason?: string | null
    sentence?: string
    /** The step that the flow comes to by itself. */
    step?: string | null
  }
}

export interface Outcome {
  name: string
  /** Empty when it passes. */
  failures: string[]
}

/** Decides by the engine of the server, over the documents of the folder as if they were published. */
export function runCase(test: TestCase, documents: readonly ContentDocument[]): Outcome {
  const segments = test.segments ?? {}
  const sources = documents.map((document, index) => ({
    id: document.key,
    key: document.key,
    type: document.type,
    versionId: document.key,
    publishedAt: new Date(index).toISOString(),
    isPublished: true,
    document: JSON.stringify(document),
  }))
  const lookup = (key: string) => {
    const condition = Object.hasOwn(segments, key) ? segments[key] : undefined
    return condition && { name: key, condition }
  }
  const meanings = { segments: lookup, keptDays: undefined }
  const environment = compileEnvironment('files', sources, meanings)
  const world = worldOf(test, documents)
  const { content, receipts } = decide(situationIn(environment, world), true)
  const flow = documents.find(({ key }) => key === test.expect.content)
  const step = flow?.type === 'flow' ? firstStep(flow, environment, world, meanings) : null
  return { name: test.name ?? '(without a name)', failures: failuresOf(test.expect, content, receipts, step) }
}

type Decided = ReturnType<typeof decide>

function failuresOf(
  expected: TestCase['expect'],
  content: Decided['content'],
  receipts: Decided['receipts'],
  step: string | null,
): string[] {
  const shown = content.map(({ key }) => key)
  const failures: string[] = []
  const compare = (what: string, wanted: unknown, found: unknown) => {
    if (wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(found))
      failures.push(`${what}\n  expected ${JSON.stringify(wanted)}\n  received ${JSON.stringify(found)}`)
  }
  compare('shown', expected.shown, shown)
  const receipt = receipts.find(({ key }) => key === expected.content)
  if (expected.content !== undefined && !receipt)
    return [`content\n  there is no document with the key ${expected.content}`]
  if (!receipt) return failures
  compare('outcome', expected.outcome, receipt.outcome)
  compare('reason', expected.reason, receipt.reason)
  compare('sentence', expected.sentence, receipt.sentence)
  compare('step', expected.step, step)
  return failures.length === 0 ? [] : [...failures, `because\n  ${receipt.sentence}`]
}

function worldOf(test: TestCase, documents: readonly ContentDocument[]): World {
  const now = test.now === undefined ? Date.now() : timeOf(test.now, 0)
  const { user, groups = [], events = [], seen = {}, guidance = {} } = test
  return {
    now,
    user: user && {
      id: user.id ?? 'user',
      attributes: user.attributes ?? {},
      createdAt: timeOf(user.created_at ?? '0s', now),
    },
    groups: groups.map(({ id, attributes = {}, membership = {} }) => ({ id, attributes, membership })),
    groupId: test.group,
    events: events.map(({ name, time, attributes = {}, group }) => ({
      name,
      time: timeOf(time, now),
      attributes,
      groupId: group,
    })),
    states: Object.entries(seen).map(([key, state]) => stateOf(key, state, documents, now)),
    isOff: guidance.off ?? false,
    quietMs: guidance.quiet === undefined ? 0 : durationMs(guidance.quiet),
  }
}

function stateOf(
  key: string,
  { started = 1, time, completed, dismissed, ended }: NonNullable<TestCase['seen']>[string],
  documents: readonly ContentDocument[],
  now: number,
): ContentState {
  const at = (text: string | undefined) => (text === undefined ? null : timeOf(text, now))
  const type = documents.find((document) => document.key === key)?.type ?? 'flow'
  return {
    contentId: key,
    key,
    type,
    started,
    lastStartedAt: timeOf(time, now),
    completedAt: at(completed),
    dismissedAt: at(dismissed),
    lastEndedAt: at(ended ?? completed ?? dismissed),
    activeSessionId: null,
    holder: null,
  }
}

/** A date-time, or so long before now. */
function timeOf(text: string | undefined, now: number): number {
  if (text === undefined) return now
  if (isDuration(text)) return now - durationMs(text)
  return readDateTime(text)?.milliseconds ?? now
}
