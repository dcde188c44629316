import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { documentProblems } from '../../../contract/content/validate.ts'
import { StartupError } from '../../startup-error.ts'

/** A document in a folder. */
export interface DocumentFile {
  path: string
  document: ContentDocument
}

export interface Folder {
  files: DocumentFile[]
  /** `first-report.json: steps[0].type: must be …` */
  problems: string[]
}

/** Reads the documents of a folder: `*.json` and `*.jsonc`, with comments allowed. Files `*.test.json` are tests. */
export async function readFolder(folder: string): Promise<Folder> {
  const read = await readFiles(folder)
  const files = read.flatMap(({ path, value, problems }) =>
    problems.length === 0 ? [{ path, document: value as ContentDocument }] : [],
  )
  return { files, problems: [...read.flatMap((file) => file.problems), ...repeatedKeys(read)] }
}

/** A file as it is, whether its document is right or not. */
export interface ReadFile {
  path: string
  text: string
  value: unknown
  problems: string[]
}

export async function readFiles(folder: string): Promise<ReadFile[]> {
  const names = (await listNames(folder)).filter((name) => /\.jsonc?$/.test(name) && !isTest(name)).sort()
  return await Promise.all(names.map((name) => readDocument(folder, name)))
}

export const isTest = (name: string) => /\.test\.jsonc?$/.test(name)

/** The names of the files of a folder. */
export async function listNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    throw new StartupError(`The folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function readDocument(folder: string, name: string): Promise<ReadFile> {
  const path = join(folder, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`The file ${path} cannot be read (${error.code}).`)
  })
  const { value, problems: broken } = parseJson(text)
  const problems = broken.length > 0 ? broken : documentProblems(value).map(problemText)
  return { path, text, value, problems: problems.map((problem) => `${name}: ${problem}`) }
}

export const problemText = ({ path, message }: { path: string; message: string }) =>
  path === '' ? message : `${path}: ${message}`

export function parseJson(given: string): { value: unknown; problems: string[] } {
  // Some editors begin a file with a mark of its encoding.
  const text = given.replace(/^\ufeff/, '')
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const problems = errors.map(({ error, offset }) => {
    const line = text.slice(0, offset).split('\n').length
    return `line ${line}: is not JSON (${printParseErrorCode(error)})`
  })
  return { value, problems }
}

/** The key that a file names, also when something else in it is wrong. */
export function keyOf({ value }: Pick<ReadFile, 'value'>): string | undefined {
  const key = typeof value === 'object' && value !== null && 'key' in value ? value.key : undefined
  return typeof key === 'string' ? key : undefined
}

export function repeatedKeys(files: readonly ReadFile[]): string[] {
  const seen = new Map<string, string>()
  return files.flatMap((file) => {
    const [key, name] = [keyOf(file), basename(file.path)]
    const earlier = key === undefined ? undefined : seen.get(key)
    if (key !== undefined) seen.set(key, name)
    return earlier === undefined ? [] : [`${name}: has the key ${key}, which ${earlier} has already`]
  })
}
