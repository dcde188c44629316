import type { PageInfo, Report } from '../../contract/sdk/protocol.ts'
import type { AnswerRow, ClaimRow, SessionRow } from '../history/rows.ts'
import { claimAfter } from '../history/states.ts'
import { answerKey, type Change } from '../history/user-history.ts'
import { completeSession, endSession } from './end.ts'
import { answerValues, internalEvent, stepValues, taskValues } from './internal-events.ts'
import type { VersionShape } from './shape.ts'
import { hasSlot, slotHolder } from './slots.ts'

/** A session that reports are applied to, with its version and where they were made. */
export interface Reported {
  readonly change: Change
  readonly shape: VersionShape
  readonly page: PageInfo | undefined
}

type Effect<Type> = (to: Reported, session: SessionRow, report: Extract<Report, { type: Type }>) => SessionRow

/** What each report does to an open session. It returns the session as it is then. */
const effects: { [Type in Report['type']]: Effect<Type> } = {
  step_seen: (to, session, { step }) => {
    const number = to.shape.steps.findIndex(({ key }) => key === step) + 1
    to.change.emit(internalEvent('flow_step_seen', session, stepValues(to.shape, number), to.page))
    if (!to.shape.steps[number - 1]?.isHidden) moveClaim(to.change, session, 'show')
    const steps = session.steps.includes(step) ? session.steps : [...session.steps, step]
    return { ...session, step, steps, progress: `${number}/${to.shape.steps.length}` }
  },
  target_missing: (to, session, { step }) => {
    to.change.emit(missingEvent(to, session, step))
    return session
  },
  answered: (to, session, { sequence, question, value }) => {
    keepAnswer(to, session, { question, value, sequence, epoch: session.epoch })
    return session
  },
  task_clicked: (to, session, { task }) => {
    to.change.emit(internalEvent('checklist_task_clicked', session, taskValues(session.versionId, task), to.page))
    const isClickable = to.shape.tasks.some(({ key, isClickable }) => key === task && isClickable)
    return isClickable ? completeTask(to, session, task) : session
  },
  task_completed: (to, session, { task }) => completeTask(to, session, task),
  shown: (to, session) => changeVisibility(to, session, 'show'),
  hidden: (to, session) => changeVisibility(to, session, 'hide'),
  activated: (to, session) => {
    to.change.emit(internalEvent('launcher_activated', session, {}, to.page))
    return { ...session, launcherActivated: true }
  },
  completed: (to, session) => completeSession(to.change, session, to.page),
  ended: (to, session, { reason }) => endSession(to.change, session, reason, to.page),
}

export function applyReport(to: Reported, session: SessionRow, report: Report): SessionRow {
  const effect = effects[report.type] as Effect<Report['type']>
  return effect(to, session, report as never)
}

export function missingEvent({ shape, page }: Reported, told: Parameters<typeof internalEvent>[1], step: string) {
  const number = shape.steps.findIndex(({ key }) => key === step) + 1
  return internalEvent('tooltip_target_missing', told, stepValues(shape, number), page)
}

/** A task that is completed stays so. The checklist is, when all its tasks are. */
export function completeTask(to: Reported, session: SessionRow, task: string): SessionRow {
  if (session.tasks.includes(task)) return session
  const { tasks: all } = to.shape
  to.change.emit(internalEvent('checklist_task_completed', session, taskValues(session.versionId, task), to.page))
  const tasks = [...session.tasks, task]
  const after = { ...session, tasks, progress: `${tasks.length}/${all.length}` }
  return tasks.length < all.length ? after : completeSession(to.change, after, to.page)
}

function changeVisibility({ change, page }: Reported, session: SessionRow, transition: 'show' | 'hide'): SessionRow {
  moveClaim(change, session, transition)
  if (session.type === 'checklist')
    change.emit(internalEvent(transition === 'show' ? 'checklist_shown' : 'checklist_hidden', session, {}, page))
  return session
}

/**
 * A slot that was given up and taken by other content does not come back by a report. Most reports move nothing: their claim
 * is not written.
 */
function moveClaim({ history, now }: Change, session: SessionRow, transition: 'show' | 'hide'): void {
  const { id } = session
  const claim: ClaimRow | undefined = history.claims.get(id)
  if (!claim) return
  if (transition === 'show' && !hasSlot(claim, now) && slotHolder(history, session, now, id)) return
  const hiddenAt = transition === 'show' ? null : (claim.hiddenAt ?? now)
  const state = claimAfter(claim.state, transition)
  if (state !== claim.state || hiddenAt !== claim.hiddenAt) history.claims.set(id, { ...claim, state, hiddenAt })
}

type Given = Pick<AnswerRow, 'question' | 'value' | 'sequence' | 'epoch'>

/** Keeps an answer unless there is one from a later report. */
export function keepAnswer({ change, shape, page }: Reported, session: SessionRow, given: Given): void {
  const { history, now } = change
  const key = answerKey(session.id, given.question)
  const known = history.answers.get(key)
  if (!isNewAnswer(known, given)) return
  const { label, kind } = shape.questions.get(given.question) ?? { label: given.question, kind: 'text' }
  history.answers.set(key, {
    ...given,
    id: known?.id ?? change.newId(),
    sessionId: session.id,
    contentId: session.contentId,
    versionId: session.versionId,
    name: label,
    createdAt: now,
  })
  const values = { question_cvid: given.question, question_name: label, question_type: kind }
  change.emit(internalEvent('question_answered', session, { ...values, ...answerValues(given.value) }, page))
}

type Place = Pick<Given, 'sequence' | 'epoch'>

export function isNewAnswer(known: Place | undefined, given: Place): boolean {
  if (!known) return true
  return given.epoch === known.epoch ? given.sequence > known.sequence : given.epoch > known.epoch
}
