import type { QuestionBlock } from '../../contract/content/document.ts'
import { scales } from '../../contract/content/scales.ts'
import { limits } from '../../contract/limits.ts'
import { type AnswerValue, pageEndReasons, type Report } from '../../contract/sdk/protocol.ts'
import type { VersionShape } from './shape.ts'

/** What is wrong with reports, by the version that they are about. Every problem begins with the path of its field. */
export function reportProblems(reports: readonly Report[], shape: VersionShape, isStarted: boolean): string[] {
  let hasStarted = isStarted
  return reports.flatMap((report, index) => {
    const path = `reports[${index}]`
    hasStarted ||= startsSession(report, shape)
    const early = hasStarted || before.has(report.type) ? [] : [`${path}.type: ${tooEarly(report, shape)}`]
    return [...early, ...problemsOf(report, shape).map((problem) => `${path}.${problem}`)]
  })
}

/** Whether this report makes a claim a session: the first step of a flow was seen, or anything of another type. */
export function startsSession({ type }: Report, shape: VersionShape): boolean {
  return shape.type === 'flow' ? type === 'step_seen' : type === 'shown'
}

/** What can be reported of a claim that was not shown yet. */
const before = new Set<Report['type']>(['target_missing', 'shown', 'hidden', 'ended'])

function tooEarly({ type }: Report, shape: VersionShape): string {
  const first = shape.type === 'flow' ? 'step_seen' : 'shown'
  return `${type} cannot come before the first ${first}, which begins the session`
}

/** The fields that each type must have. */
const needed: Partial<Record<Report['type'], readonly string[]>> = {
  step_seen: ['step'],
  target_missing: ['step', 'matches'],
  answered: ['question', 'value'],
  task_clicked: ['task'],
  task_completed: ['task'],
  ended: ['reason'],
}

function problemsOf(report: Report, shape: VersionShape): string[] {
  const absentFields = (needed[report.type] ?? []).filter((name) => !Object.hasOwn(report, name))
  if (absentFields.length > 0) return absentFields.map((name) => `${name}: is required`)
  switch (report.type) {
    case 'step_seen':
      return stepProblems(report.step, shape)
    case 'target_missing':
      // A launcher has a target and no steps.
      return shape.type === 'launcher' ? [] : stepProblems(report.step, shape)
    case 'activated':
      return shape.type === 'launcher' ? [] : [`type: only a launcher is activated, and this is a ${shape.type}`]
    case 'answered':
      return answerProblems(report, shape)
    case 'task_clicked':
    case 'task_completed':
      return shape.tasks.some(({ key }) => key === report.task) ? [] : [`task: ${absent('task', report.task)}`]
    case 'ended':
      return pageEndReasons.some((reason) => reason === report.reason)
        ? []
        : [`reason: must be one of ${pageEndReasons.join(', ')}`]
    default:
      return []
  }
}

function stepProblems(step: string, { steps }: VersionShape): string[] {
  return steps.some(({ key }) => key === step) ? [] : [`step: ${absent('step', step)}`]
}

function answerProblems({ question: key, value }: Extract<Report, { type: 'answered' }>, shape: VersionShape) {
  const question = shape.questions.get(key)
  if (!question) return [`question: ${absent('question', key)}`]
  const rule = answerRule(question, value)
  return rule === undefined ? [] : [`value: ${rule}`]
}

const absent = (kind: string, key: string) => `the version of this session has no ${kind} '${key}'`

/** What an answer must be, when it is something else. */
function answerRule(question: QuestionBlock, value: AnswerValue): string | undefined {
  switch (question.kind) {
    case 'nps':
    case 'rating': {
      const [least, most] = scales[question.kind]
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      return fits ? undefined : `must be a whole number from ${least} to ${most}`
    }
    case 'text':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'choice':
      return question.multiple ? listRule(question, value) : choiceRule(question, value)
    default:
      return question.kind satisfies never
  }
}

function listRule(question: QuestionBlock, value: AnswerValue): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of options'
  if (new Set(value).size < value.length) return 'must name each option once'
  // Events and answers have the list as a text.
  if (JSON.stringify(value).length > limits.stringValueCharacters)
    return `must have at most ${limits.stringValueCharacters} characters as JSON`
  const others = value.filter((each) => !question.options?.includes(each))
  return others.length > (question.other === undefined ? 0 : 1) ? optionsRule(question) : undefined
}

function choiceRule(question: QuestionBlock, value: AnswerValue): string | undefined {
  if (typeof value !== 'string') return 'must be one option, as a text'
  return question.other !== undefined || question.options?.includes(value) ? undefined : optionsRule(question)
}

const optionsRule = ({ options = [] }: QuestionBlock) => `must be one of the options ${options.join(', ')}`
