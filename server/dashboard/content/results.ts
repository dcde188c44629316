import { stringify } from 'csv-stringify/sync'
import type { Names } from '../../../contract/conditions/sentence.ts'
import { branchesOf } from '../../../contract/content/branches.ts'
import type { ContentDocument, FlowDocument, QuestionBlock, Task } from '../../../contract/content/document.ts'
import { scales } from '../../../contract/content/scales.ts'
import { stepTitle } from '../../../contract/content/step-title.ts'
import { questionsOf } from '../../../contract/content/validate.ts'
import type { QuestionResult, Results, StepResult } from '../../../contract/dashboard/results.ts'
import type { ContentRow, VersionRow } from '../../content/rows.ts'
import { findVersionByNumber, findVersionNumbers, listVersionRows } from '../../content/version-queries.ts'
import type { EnvironmentId, Reader } from '../../database/database.ts'
import { type AnswerCount, countAnswers, findTexts } from '../../results/answer-queries.ts'
import { ALL, GIVEN, OTHER } from '../../results/answer-sql.ts'
import { daysOf, figuresOf, leftOf, runsOf } from '../../results/figures.ts'
import { findFigures, findRuns, findSums, type RunSum, type RunsOf, type VersionSum } from '../../results/queries.ts'
import { type DashboardHandlers, Raw } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { contentOf } from './detail.ts'
import { findMissed } from './missed.ts'
import { namesOf } from './names.ts'
import { cursorOf, firstDay, placeOf } from './places.ts'
import { referenceNames } from './reference-names.ts'
import { shownVersion } from './shown-version.ts'

const MOST_DAYS = 60
const ANSWERS = 20

/** How a content does: its funnel, its figures, its answers. */
export function resultHandlers({
  services: { database, listReader },
}: DashboardParts): Pick<DashboardHandlers, 'getResults' | 'listAnswers' | 'exportResults'> {
  return {
    getResults: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const version = await shownVersion(database, id, content, query.version)
      const since = firstDay(query.days)
      return await listReader.read(async (db) => {
        const published = (await listVersionRows(db, id, content.id)).flatMap(({ number, published_at }) =>
          published_at === null ? [] : [{ number, published_at }],
        )
        const other = query.against ?? published.find(({ number }) => number < version.number)?.number
        const against = other === undefined ? undefined : await findVersionByNumber(db, id, content.id, other)
        const shown = against ? [version.id, against.id] : [version.id]
        const [runs, figures, questions, missed, names, before] = await Promise.all([
          findSums(db, id, content.id, shown, since),
          findFigures(db, id, { contentId: content.id, since }),
          questionResults(db, id, content, version, since),
          findMissed(db, id, new Map([[version.id, JSON.parse(version.document) as ContentDocument]])),
          referenceNames(db, id),
          against ? questionResults(db, id, content, against, since) : [],
        ])
        const nps = before.filter(({ kind }) => kind === 'nps')
        return {
          ...resultsOf(version, runs, names),
          days: daysOf(figures, MOST_DAYS),
          questions,
          versions: published,
          missed: missed.get(version.id) ?? null,
          against: against
            ? { number: against.number, ...figuresOf(ofVersion(runs, against.id)), questions: nps }
            : null,
        }
      })
    },

    listAnswers: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const version = await shownVersion(database, id, content, query.version)
      const questions = questionBlocks(version)
      const options = questions.find(({ question }) => question === query.question)?.options ?? []
      const nps = questions.find(({ kind }) => kind === 'nps')?.question
      const of = { contentId: content.id, versionId: version.id, since: firstDay(query.days) }
      const page = { q: query.q ?? '', before: placeOf(query.before), limit: query.limit ?? ANSWERS, options, nps }
      const { rows, next } = await listReader.read((db) => findTexts(db, id, of, query.question, page))
      const names = await namesOf(
        database,
        id,
        rows.map(({ user_id }) => user_id),
      )
      return { data: rows.map((row) => ({ ...row, user_name: names.get(row.user_id) ?? null })), next: cursorOf(next) }
    },

    exportResults: async ({ environment: { id }, params, query }) => {
      const content = await contentOf(database, id, params.content_id)
      const { of, version: number, days } = query
      const version = number === undefined ? undefined : await shownVersion(database, id, content, number)
      const asked = { versionId: version?.id, since: firstDay(days) }
      const lines = of === 'answers' ? answerLines : runLines
      const rows = await listReader.read((db) => lines(db, id, content, asked))
      const parts = [content.key, ...(version ? [`version-${version.number}`] : []), of === 'answers' ? of : 'results']
      const name = `${parts.join('-')}.csv`
      return new Raw({
        contentType: 'text/csv; charset=utf-8',
        headers: { 'content-disposition': `attachment; filename="${name}"` },
        body: csvOf(rows),
      })
    },
  }
}

const CSV_PORTION = 1_000

/** In portions, between which other requests are answered: a content that is live for years has 100,000 lines. */
async function* csvOf(lines: readonly unknown[][]): AsyncIterable<string> {
  for (let first = 0; first < lines.length; first += CSV_PORTION)
    yield stringify(lines.slice(first, first + CSV_PORTION), { escape_formulas: true })
}

async function runLines(db: Reader, id: EnvironmentId, content: ContentRow, of: RunsOf): Promise<unknown[][]> {
  const runs = await findRuns(db, id, content.id, of)
  // After the runs: the version of each is among them.
  const numbers = await findVersionNumbers(db, id, content.id)
  // Runs that have ended and those that are open are summed apart.
  const alike = Map.groupBy(runs, ({ version_id, day, step, reason }) => `${version_id} ${day} ${step} ${reason}`)
  const rows = [...alike.values()].map(([run, ...others]) => {
    const { version_id, day, step, reason, runs } = run as RunSum
    return [numbers.get(version_id) ?? '', day, step, reason, others.reduce((sum, other) => sum + other.runs, runs)]
  })
  return [['version', 'day', 'step', 'reason', 'runs'], ...rows]
}

/** Texts that are no options are counted together: users wrote them. */
async function answerLines(
  db: Reader,
  id: EnvironmentId,
  content: ContentRow,
  { versionId, since }: RunsOf,
): Promise<unknown[][]> {
  const counts = await countAnswers(db, id, content.id, versionId, since)
  const numbers = await findVersionNumbers(db, id, content.id)
  const lines = counts.flatMap(({ version_id, question, value, answers }) => {
    const shown = value === OTHER ? 'another text' : value.slice(GIVEN.length)
    return value === ALL ? [] : [[numbers.get(version_id) ?? 0, question, shown, answers] as const]
  })
  const newestFirst = lines.sort(([one], [other]) => other - one)
  return [['version', 'question', 'answer', 'answers'], ...newestFirst.map((line) => [...line])]
}

const ofVersion = (runs: readonly VersionSum[], versionId: string) =>
  runs.filter(({ version_id }) => version_id === versionId)

function resultsOf(
  version: VersionRow,
  runs: readonly VersionSum[],
  names: Names,
): Omit<Results, 'days' | 'questions' | 'versions' | 'against' | 'missed'> {
  const sums = ofVersion(runs, version.id)
  const document = JSON.parse(version.document) as ContentDocument
  return {
    number: version.number,
    published_at: version.published_at,
    ...figuresOf(sums),
    left: leftOf(sums),
    steps: document.type === 'flow' ? stepResults(document, sums, names) : [],
    tasks: document.type === 'checklist' ? document.tasks.map((task) => taskResult(task, sums)) : [],
  }
}

/** A completed task of a checklist is summed as a step that was seen. */
function taskResult({ key, name }: Task, sums: readonly VersionSum[]): Results['tasks'][number] {
  const completed = sums.filter(({ step, reason }) => step === key && reason === 'seen')
  return { key, name, completed: runsOf(completed) }
}

function stepResults(flow: FlowDocument, sums: readonly VersionSum[], names: Names): StepResult[] {
  const { depths } = branchesOf(flow)
  return flow.steps.map((step, index) => {
    const here = sums.filter((sum) => sum.step === step.key)
    return {
      key: step.key,
      type: step.type,
      title: stepTitle(step, names),
      depth: depths[index] ?? 0,
      reached: runsOf(here.filter(({ reason }) => reason === 'seen')),
      open: runsOf(here.filter(({ reason }) => reason === 'open')),
      left: leftOf(here),
    }
  })
}

async function questionResults(
  db: Reader,
  id: EnvironmentId,
  content: ContentRow,
  version: VersionRow,
  since: string,
): Promise<QuestionResult[]> {
  const questions = questionBlocks(version)
  if (questions.length === 0) return []
  const counts = await countAnswers(db, id, content.id, version.id, since)
  return questions.map((block) => questionResult(block, new Map(timesOf(counts, block.question))))
}

const questionBlocks = ({ document }: VersionRow) =>
  questionsOf(JSON.parse(document) as ContentDocument).map(({ block }) => block)

const timesOf = (counts: readonly AnswerCount[], question: string) =>
  counts.filter((one) => one.question === question).map(({ value, answers }) => [value, answers] as const)

/** `times`: how often each value was given, as it is summed. */
function questionResult(block: QuestionBlock, times: ReadonlyMap<string, number>): QuestionResult {
  const { question: key, kind, label } = block
  const given = (value: string | number) => times.get(`${GIVEN}${value}`) ?? 0
  return {
    key,
    kind,
    label,
    answers: times.get(ALL) ?? 0,
    other: times.get(OTHER) ?? 0,
    counts: kind === 'nps' || kind === 'rating' ? range(...scales[kind]).map(given) : [],
    options:
      kind === 'choice'
        ? (block.options ?? []).map((value) => ({ value, answers: given(value) })).sort((a, b) => b.answers - a.answers)
        : [],
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
