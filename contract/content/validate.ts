import { attributeProblem } from '../attributes.ts'
import { locatorProblem } from '../conditions/locators.ts'
import { conditionProblems } from '../conditions/problems.ts'
import { addressProblem, imageProblem, videoProblem } from './addresses.ts'
import { type Checks, type DocumentProblem, type DocumentSchema, join, schemaProblems, wholeProblems } from './check.ts'
import type { Block, ContentDocument, QuestionBlock } from './document.ts'
import { markdownProblems } from './markdown.ts'
import { contentSchema, definitions } from './schema.ts'
import { templateProblems } from './templates.ts'
import { themeSchema } from './theme-schema.ts'

/** Every problem of a value that should be a document. An empty list means: it is a `ContentDocument`. */
export function documentProblems(value: unknown): DocumentProblem[] {
  const whole = wholeProblems(value)
  if (whole.length > 0) return whole
  const found = schemaProblems(contentSchema as unknown as DocumentSchema, definitions, checks, value)
  return found.length > 0 ? found : consistencyProblems(value as unknown as ContentDocument)
}

export function themeProblems(value: unknown): DocumentProblem[] {
  return schemaProblems(themeSchema as unknown as DocumentSchema, {}, {}, value)
}

const one = (check: (text: string) => string | undefined) => (value: unknown, path: string) => {
  const message = check(value as string)
  return message === undefined ? [] : [{ path, message }]
}

const many = (check: (text: string) => readonly string[]) => (value: unknown, path: string) =>
  check(value as string).map((message) => ({ path, message }))

const checks: Checks = {
  address: one(addressProblem),
  image: one(imageProblem),
  video: one(videoProblem),
  locator: one(locatorProblem),
  template: many(templateProblems),
  markdown: many(markdownProblems),
  attribute: attributeProblems,
  who: (value, path) => conditionProblems(value, 'who', path),
  where: (value, path) => conditionProblems(value, 'page', path),
}

function attributeProblems(value: unknown, path: string): DocumentProblem[] {
  const wrong = attributeProblem(value)
  return wrong ? [{ path: join(path, wrong.key ?? ''), message: wrong.message }] : []
}

/** What the schema cannot say: keys that occur twice, and questions without what their kind needs. */
function consistencyProblems(document: ContentDocument): DocumentProblem[] {
  const parts = document.type === 'flow' ? document.steps : document.type === 'checklist' ? document.tasks : []
  const list = document.type === 'flow' ? 'steps' : 'tasks'
  const questions = questionsOf(document)
  return [
    ...repeated(parts.map(({ key }, index) => ({ key, path: `${list}[${index}].key` }))),
    ...repeated(questions.map(({ block, path }) => ({ key: block.question, path: `${path}.question` }))),
    ...questions.flatMap(({ block, path }) => questionProblems(block, path)),
  ]
}

function repeated(keys: readonly { key: string; path: string }[]): DocumentProblem[] {
  const seen = new Set<string>()
  return keys.flatMap(({ key, path }) => {
    if (seen.has(key)) return [{ path, message: `is \`${key}\`, and another one has this key already` }]
    seen.add(key)
    return []
  })
}

function questionProblems({ kind, options, multiple, other, long }: QuestionBlock, path: string): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const only = (name: string, value: unknown, of: QuestionBlock['kind']) => {
    if (value !== undefined && kind !== of)
      problems.push({ path: `${path}.${name}`, message: `is only for questions of the kind ${of}` })
  }
  if (kind === 'choice' && !options)
    problems.push({ path: `${path}.options`, message: 'is required: a choice needs options' })
  if (options && new Set(options).size < options.length)
    problems.push({ path: `${path}.options`, message: 'must not have the same option twice' })
  only('options', options, 'choice')
  only('multiple', multiple, 'choice')
  only('other', other, 'choice')
  only('long', long, 'text')
  return problems
}

/** The questions of a document, with their paths. */
export function questionsOf(document: ContentDocument): { block: QuestionBlock; path: string }[] {
  return blockListsOf(document).flatMap(({ blocks, path }) =>
    blocks.flatMap((block, index) => ('question' in block ? [{ block, path: `${path}[${index}]` }] : [])),
  )
}

export function blockListsOf(document: ContentDocument): { blocks: readonly Block[]; path: string }[] {
  if (document.type === 'banner') return [{ blocks: document.blocks, path: 'blocks' }]
  if (document.type !== 'flow') return []
  return document.steps.flatMap((step, index) =>
    step.type === 'hidden' ? [] : [{ blocks: step.blocks, path: `steps[${index}].blocks` }],
  )
}
