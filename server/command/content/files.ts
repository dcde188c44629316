import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DocumentProblem } from '../../../contract/content/check.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { documentProblems } from '../../../contract/content/validate.ts'
import { fileReason } from '../../files/reason.ts'
import { StartupError } from '../../startup-error.ts'
import { parseJson } from './json.ts'

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
  const names = (await listNames(folder)).filter((name) => !isTest(name))
  return await Promise.all(names.map((name) => readDocument(folder, name)))
}

export const isTest = (name: string) => /\.test\.jsonc?$/.test(name)

const MIB = 1024 * 1024
/** Far more than a document, or the tests of many, need. */
const MOST_BYTES = 16 * MIB
/** Twice the documents that an environment may have. They are all in memory at once. */
const MOST_BYTES_TOGETHER = 64 * MIB

/** The names of the documents and tests of a folder. One with a control character, such as a line break, could not be told as it is. */
export async function listNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw new StartupError(`The folder ${folder} cannot be read: ${fileReason(error)}.`)
  })
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  const names = files.filter((name) => /\.jsonc?$/.test(name)).sort()
  const wrong = names.find((name) => /\p{Cc}/u.test(name))
  if (wrong !== undefined)
    throw new StartupError(
      `The name of a file in ${folder} has a control character: ${wrong.replace(/\p{Cc}+/gu, '?')}. Rename it.`,
    )
  await refuseTooMuch(folder, names)
  return names
}

/** A file that is too large by itself is not read. One whose size cannot be told is refused when it is read. */
async function refuseTooMuch(folder: string, names: readonly string[]): Promise<void> {
  let [bytes, largest] = [0, { name: '', size: 0 }]
  for (const name of names) {
    const size = await stat(join(folder, name)).then(
      (found) => (found.isFile() && found.size <= MOST_BYTES ? found.size : 0),
      () => 0,
    )
    bytes += size
    if (size > largest.size) largest = { name, size }
  }
  if (bytes <= MOST_BYTES_TOGETHER) return
  const { name, size } = largest
  throw new StartupError(
    `The documents and tests in ${folder} have ${mebibytes(bytes)} together, and may have ${mebibytes(MOST_BYTES_TOGETHER)}. The largest is ${name} with ${mebibytes(size)}. Move what is no content out of the folder.`,
  )
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / MIB)} MiB`

async function readDocument(folder: string, name: string): Promise<ReadFile> {
  return await readJson(join(folder, name), documentProblems)
}

/** A file, with what is wrong with its text, or else with its value. */
export async function readJson(path: string, check: (value: unknown) => DocumentProblem[]): Promise<ReadFile> {
  const bytes = await readBytes(path).catch((error) => {
    throw new StartupError(`The file ${path} cannot be read: ${fileReason(error)}.`)
  })
  if (typeof bytes === 'string') return { path, text: '', value: undefined, problems: [`${basename(path)}: ${bytes}`] }
  const text = bytes.toString()
  const { value, problem } = isUtf8(bytes)
    ? parseJson(text)
    : { value: undefined, problem: 'is not UTF-8; save the file as UTF-8' }
  const problems = problem === undefined ? check(value).map(problemText) : [problem]
  return { path, text, value, problems: problems.map((one) => `${basename(path)}: ${one}`) }
}

/** A text says what is wrong: a device or a pipe might have no end. */
async function readBytes(path: string): Promise<Buffer | string> {
  const found = await stat(path)
  if (!found.isFile()) return 'is not a file'
  return found.size > MOST_BYTES
    ? `is larger than ${mebibytes(MOST_BYTES)}; move it out of the folder if it is no content`
    : await readFile(path)
}

export const problemText = ({ path, message }: DocumentProblem) => (path === '' ? message : `${path}: ${message}`)

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
