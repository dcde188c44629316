import { DATE_TIME_PATTERN, dateTimeProblem } from '../datetime.ts'
import { limits } from '../limits.ts'
import { storable } from '../schema.ts'
import { DURATION_PATTERN, isDuration, LONGEST_RULE } from './duration.ts'
import { LOCATOR_PATTERN, locatorProblem } from './locators.ts'

/** What is wrong, where, and what would be right. */
export interface Problem {
  path: string
  message: string
}

/** A field of a leaf: its JSON Schema for editors, and the check with its message. Undefined: nothing is wrong. */
export interface Field {
  readonly schema: object
  readonly problem: (value: unknown) => string | undefined
  readonly isOptional?: true
}

export const optional = (field: Field): Field => ({ ...field, isOptional: true })

const field = (schema: object, rule: string, accepts: (value: unknown) => boolean): Field => ({
  schema,
  problem: (value) => (accepts(value) ? undefined : rule),
})

const isText = (value: unknown): value is string => typeof value === 'string'
// No NUL (PostgreSQL's jsonb refuses it) and no lone surrogate (neither UTF-8 nor jsonb has it).
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

export function matching(pattern: string, rule: string): Field {
  const expression = new RegExp(pattern, 'u')
  return field({ type: 'string', pattern }, rule, (value) => isText(value) && expression.test(value))
}

export function textUpTo(most: number, least = 0): Field {
  const rule = `must be a text of ${least === 0 ? 'at most' : `${least} to`} ${most} characters, without a NUL character or a lone surrogate`
  return field(
    { type: 'string', minLength: least, maxLength: most, pattern: storable.pattern },
    rule,
    (value) => isText(value) && value.length >= least && value.length <= most && isStorable(value),
  )
}

export const anyNumber = field({ type: 'number' }, 'must be a number', Number.isFinite)

export function wholeNumber(least: number, most: number): Field {
  const rule = `must be a whole number from ${least} to ${most}`
  return field(
    { type: 'integer', minimum: least, maximum: most },
    rule,
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )
}

export const flag = field({ type: 'boolean' }, 'must be true or false', (value) => typeof value === 'boolean')

export const duration = field(
  { type: 'string', pattern: DURATION_PATTERN },
  `must be a duration such as 7d (s, m, h, d or w), ${LONGEST_RULE}`,
  (value) => isText(value) && isDuration(value),
)

export const instant: Field = {
  schema: { type: 'string', pattern: DATE_TIME_PATTERN },
  problem: (value) => dateTimeProblem(isText(value) ? value : ''),
}

export const timeOfDay = matching('^([01][0-9]|2[0-3]):[0-5][0-9]$', 'must be a time of day such as 09:00')

export const zone = field(
  { type: 'string', minLength: 1, maxLength: 100 },
  'must be a time zone such as Europe/Berlin',
  (value) => {
    try {
      return isText(value) && value.length <= 100 && new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined
    } catch {
      return false
    }
  },
)

export function oneOf(words: readonly string[]): Field {
  return field({ enum: words }, `must be one of ${words.join(', ')}`, (value) => isText(value) && words.includes(value))
}

/** One or more items. A problem of an item says which one, counted from 1. */
export function listOf(item: Field, most: number, what: string): Field {
  return {
    schema: { type: 'array', items: item.schema, minItems: 1, maxItems: most },
    problem: (value) => {
      if (!Array.isArray(value) || value.length === 0 || value.length > most)
        return `must be a list of 1 to ${most} ${what}`
      const wrong = value.findIndex((each) => item.problem(each) !== undefined)
      return wrong < 0 ? undefined : `item ${wrong + 1} of ${value.length} ${item.problem(value[wrong])}`
    },
  }
}

const locatorText = textUpTo(limits.locatorCharacters, 1)
const locator: Field = {
  schema: { ...locatorText.schema, allOf: [{ pattern: LOCATOR_PATTERN }] },
  problem: (value) => locatorText.problem(value) ?? locatorProblem(value as string),
}
export const locators = listOf(locator, 10, 'locators')

const URL_RULE =
  'must be a pattern such as /projects/*, where * is one part of the path and ** any number of them, or https://app.example.com/projects/**?tab=usage'

// A part of the path is `*`, `**` or without a star; a parameter has a name, and perhaps a value, which may be a star.
const PART = String.raw`(?:\*\*?|[^\s#\\*?/\u0000\ud800-\udfff]*)`
const CHARACTERS = String.raw`[^\s#\\*?&=\u0000\ud800-\udfff]`
const PARAMETER = `${CHARACTERS}+(?:=(?:${CHARACTERS}*|\\*))?`
const URL_PATTERN = String.raw`^(?=.)(?:https?://(?:\*\.)?[\w.\-]+(?::\d+)?)?(?:/${PART})*(?:\?${PARAMETER}(?:&${PARAMETER})*)?$`

/** A path, or an address with its host; a `*` stands for a whole part; parameters of the query by name. */
const address = matching(URL_PATTERN, URL_RULE)
export const urlPattern: Field = {
  schema: { ...address.schema, maxLength: limits.urlCharacters },
  problem: (value) => (String(value).length > limits.urlCharacters ? URL_RULE : address.problem(value)),
}

export const width = wholeNumber(1, 100_000)
