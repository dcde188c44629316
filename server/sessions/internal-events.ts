import { type InternalAttribute, internalAttributes } from '../../contract/attributes.ts'
import type { ContentType } from '../../contract/content/document.ts'
import { withoutUserInfo } from '../../contract/content/page-address.ts'
import type { AnswerValue, PageInfo } from '../../contract/sdk/protocol.ts'
import { byJsonbOrder, toOrderedJson } from '../attributes/json.ts'
import type { AttributeOperation, AttributeOperations } from '../attributes/operations.ts'
import { partId } from '../content/document-ids.ts'
import type { SessionRow } from '../history/rows.ts'
import type { HistoryEvent } from '../history/user-history.ts'
import type { VersionShape } from './shape.ts'

/** Every event that guided flows make. They are ordinary events of the user, and of the group of the session. */
export const internalEventNames = [
  'flow_started',
  'flow_step_seen',
  'flow_completed',
  'flow_ended',
  'checklist_started',
  'checklist_shown',
  'checklist_hidden',
  'checklist_task_clicked',
  'checklist_task_completed',
  'checklist_completed',
  'checklist_ended',
  'launcher_seen',
  'launcher_activated',
  'launcher_dismissed',
  'banner_seen',
  'banner_dismissed',
  'question_answered',
  'tooltip_target_missing',
] as const
export type InternalEventName = (typeof internalEventNames)[number]

/** Every attribute of these events, in the order in which they are stored. */
const attributeNames = (
  [
    ...(['flow_id', 'flow_version_id', 'flow_session_id', 'flow_name', 'flow_version_number'] as const),
    ...(['flow_step_id', 'flow_step_cvid', 'flow_step_number', 'flow_start_reason', 'flow_end_reason'] as const),
    ...(['content_id', 'content_version_id', 'content_session_id', 'checklist_task_id'] as const),
    ...(['question_cvid', 'question_name', 'question_type', 'number_answer', 'text_answer', 'list_answer'] as const),
    ...(['page_url', 'viewport_width', 'viewport_height', 'locale_code'] as const),
  ] as const
).toSorted(byJsonbOrder)

type Values = Partial<Record<(typeof attributeNames)[number], string | number | undefined>>

/** What of a session its events tell. A claim that is not a session yet has it too. */
export type Told = Pick<
  SessionRow,
  'id' | 'userId' | 'groupId' | 'contentId' | 'contentName' | 'versionId' | 'versionNumber' | 'type'
>

export function internalEvent(
  name: InternalEventName,
  told: Told,
  values: Values = {},
  page: PageInfo | undefined = undefined,
): HistoryEvent {
  const all = { ...ownValues(told), ...values, ...pageValues(page) }
  const { userId, groupId } = told
  return { name, userId, groupId, operations: operationsOf(all), attributesJson: toOrderedJson(attributeNames, all) }
}

/** A type that has no such event has undefined. */
export const startedEvents: Record<ContentType, readonly InternalEventName[]> = {
  flow: ['flow_started'],
  checklist: ['checklist_started', 'checklist_shown'],
  banner: ['banner_seen'],
  launcher: ['launcher_seen'],
}
export const completedEvents: Partial<Record<ContentType, InternalEventName>> = {
  flow: 'flow_completed',
  checklist: 'checklist_completed',
}
export const endedEvents: Record<ContentType, InternalEventName> = {
  flow: 'flow_ended',
  checklist: 'checklist_ended',
  banner: 'banner_dismissed',
  launcher: 'launcher_dismissed',
}

function ownValues({ id, contentId, contentName, versionId, versionNumber, type }: Told): Values {
  if (type !== 'flow') return { content_id: contentId, content_version_id: versionId, content_session_id: id }
  return {
    flow_id: contentId,
    flow_version_id: versionId,
    flow_session_id: id,
    flow_name: contentName,
    flow_version_number: versionNumber,
  }
}

/** Of the step with this number, from 1 on. A version that has no such step gives none. */
export function stepValues({ steps }: VersionShape, number: number): Values {
  const step = steps[number - 1]
  return step ? { flow_step_id: step.id, flow_step_cvid: step.key, flow_step_number: number } : {}
}

export function taskValues(versionId: string, key: string): Values {
  return { checklist_task_id: partId(versionId, 'task', key) }
}

/** Attributes hold no lists, so several options are the JSON text of their list. */
export function answerValues(value: AnswerValue): Values {
  if (typeof value === 'number') return { number_answer: value }
  return typeof value === 'string' ? { text_answer: value } : { list_answer: JSON.stringify(value) }
}

function pageValues(page: PageInfo = {}): Values {
  return {
    page_url: page.url && withoutUserInfo(page.url.replace(/[?#].*/s, '')),
    viewport_width: page.viewport_width,
    viewport_height: page.viewport_height,
    locale_code: page.locale,
  }
}

function operationsOf(values: Values): AttributeOperations {
  const operations: [string, AttributeOperation][] = []
  for (const name of attributeNames) {
    const value = values[name]
    if (value === undefined) continue
    const dataType = internalAttributes[name as InternalAttribute] ?? typeOf(value)
    operations.push([name, { kind: 'set', value, dataType }])
  }
  return operations
}

/** A name that looks like a date is still a text. */
const typeOf = (value: string | number) => (typeof value === 'number' ? 'number' : 'string')
