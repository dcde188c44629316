import { DURATION_PATTERN, DURATION_RULE, isDuration } from '../../../contract/conditions/duration.ts'
import { conditionProblems } from '../../../contract/conditions/problems.ts'
import {
  type Checks,
  type DocumentProblem,
  type DocumentSchema,
  isObject,
  schemaProblems,
} from '../../../contract/content/check.ts'
import { readDateTime } from '../../../contract/datetime.ts'
import { ATTRIBUTE_NAME_PATTERN, ATTRIBUTE_NAME_RULE } from '../../../contract/names.ts'

/** The form of a file `*.test.json`. A misspelt field would make a test that always passes, so every other field is refused. */

const text: DocumentSchema = { type: 'string' }
const time: DocumentSchema = { type: 'string', 'x-check': 'time' }
const instant: DocumentSchema = { type: 'string', 'x-check': 'instant' }
const textOrNull: DocumentSchema = { anyOf: [text, { type: 'null' }], 'x-rule': 'must be a text or null' }
const attributes: DocumentSchema = {
  type: 'object',
  propertyNames: { pattern: ATTRIBUTE_NAME_PATTERN, 'x-rule': ATTRIBUTE_NAME_RULE },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

const object = (
  properties: Readonly<Record<string, DocumentSchema>>,
  required: readonly string[] = [],
): DocumentSchema => ({ type: 'object', properties, required, additionalProperties: false })
const listOf = (items: DocumentSchema): DocumentSchema => ({ type: 'array', items })
const mapOf = (additionalProperties: DocumentSchema): DocumentSchema => ({ type: 'object', additionalProperties })

const testCase = object(
  {
    name: text,
    now: instant,
    user: object({ id: text, attributes, created_at: time }),
    groups: listOf(object({ id: text, attributes, membership: attributes }, ['id'])),
    group: text,
    events: listOf(object({ name: text, time, attributes, group: text }, ['name'])),
    seen: mapOf(
      object({
        started: { type: 'integer', minimum: 0, maximum: 1_000_000 },
        time,
        completed: time,
        dismissed: time,
        ended: time,
      }),
    ),
    segments: mapOf({ 'x-check': 'condition' }),
    guidance: object({
      off: { type: 'boolean' },
      quiet: { type: 'string', pattern: DURATION_PATTERN, 'x-rule': DURATION_RULE },
    }),
    expect: {
      ...object({
        shown: listOf(text),
        content: text,
        outcome: { enum: ['show', 'hide'] },
        reason: textOrNull,
        sentence: text,
        step: textOrNull,
      }),
      'x-check': 'expect',
    },
  },
  ['expect'],
)

const testFile = object({ tests: { ...listOf(testCase), minItems: 1 } })

const rule =
  (message: string, holds: (text: string) => boolean) =>
  (value: unknown, path: string): DocumentProblem[] =>
    holds(value as string) ? [] : [{ path, message }]

const isInstant = (given: string) => readDateTime(given) !== undefined

const checks: Checks = {
  time: rule('must be a date-time, or a duration such as 3d, which means so long ago', (given) => {
    return isDuration(given) || isInstant(given)
  }),
  instant: rule('must be a date-time such as 2026-01-03T09:30:00Z', isInstant),
  condition: (value, path) => conditionProblems(value, 'who', path),
  expect: (value, path) => expectProblems(value as Record<string, unknown>, path),
}

const ofOneContent = ['outcome', 'reason', 'sentence', 'step']

/** What expects nothing, or something of no content, would always pass. */
function expectProblems(expected: Record<string, unknown>, path: string): DocumentProblem[] {
  const given = ofOneContent.filter((name) => Object.hasOwn(expected, name))
  const hasContent = Object.hasOwn(expected, 'content')
  if (given.length > 0 && !hasContent)
    return [{ path: `${path}.content`, message: `is required: whose ${given.join(' and ')} is expected?` }]
  if (hasContent ? given.length > 0 : Object.hasOwn(expected, 'shown')) return []
  const message = hasContent
    ? `expects nothing of its content: add ${ofOneContent.join(', ')}`
    : 'expects nothing: name what is shown, such as { "shown": ["welcome"] }'
  return [{ path, message }]
}

/** Every problem of a file of tests. A file has one case, or several under `tests`. */
export function testProblems(value: unknown): DocumentProblem[] {
  const hasMany = isObject(value) && Object.hasOwn(value, 'tests')
  const found = schemaProblems(hasMany ? testFile : testCase, {}, checks, value)
  return found.length > 0 ? found : groupProblems(hasMany ? (value.tests as Grouped[]) : [value as Grouped], hasMany)
}

interface Grouped {
  group?: string
  groups?: { id: string }[]
}

/** The current group of a user is one of its groups. */
function groupProblems(cases: readonly Grouped[], hasMany: boolean): DocumentProblem[] {
  return cases.flatMap(({ group, groups = [] }, index) =>
    group === undefined || groups.some(({ id }) => id === group)
      ? []
      : [{ path: `${hasMany ? `tests[${index}].` : ''}group`, message: `\`${group}\` is not one of the groups` }],
  )
}
