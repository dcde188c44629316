import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { formatDocument } from '../../../contract/content/format.ts'
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
  const names = (await listNames(folder)).filter((name) => /\.jsonc?$/.test(name) && !isTest(name)).sort()
  const read = await Promise.all(names.map((name) => readDocument(folder, name)))
  const files = read.flatMap(({ file }) => file ?? [])
  return { files, problems: [...read.flatMap(({ problems }) => problems), ...repeatedKeys(files)] }
}

export const isTest = (name: string) => /\.test\.jsonc?$/.test(name)

export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    throw new StartupError(`The folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function readDocument(folder: string, name: string): Promise<{ file?: DocumentFile; problems: string[] }> {
  const path = join(folder, name)
  const { value, problems: broken } = parseJson(await readFile(path, 'utf8'))
  const problems = broken.length > 0 ? broken : documentProblems(value).map(problemText)
  if (problems.length > 0) return { problems: problems.map((problem) => `${name}: ${problem}`) }
  return { file: { path, document: value as ContentDocument }, problems: [] }
}

const problemText = ({ path, message }: { path: string; message: string }) =>
  path === '' ? message : `${path}: ${message}`

export function parseJson(text: string): { value: unknown; problems: string[] } {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const problems = errors.map(({ error, offset }) => {
    const line = text.slice(0, offset).split('\n').length
    return `line ${line}: is not JSON (${printParseErrorCode(error)})`
  })
  return { value, problems }
}

function repeatedKeys(files: readonly DocumentFile[]): string[] {
  const seen = new Map<string, string>()
  return files.flatMap(({ path, document: { key } }) => {
    const earlier = seen.get(key)
    seen.set(key, path)
    return earlier === undefined ? [] : [`${path}: has the key ${key}, which ${earlier} has already`]
  })
}

/** Writes a document to the file that has its key, or to a new one named by it. */
export async function writeDocument(
  folder: string,
  path: string | undefined,
  document: ContentDocument,
): Promise<string> {
  const target = path ?? join(folder, `${document.key}.json`)
  await writeFile(target, formatDocument(document))
  return target
}
