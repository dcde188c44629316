import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** A piece of code in a Markdown document: ```` ```ts name ````. */
export interface Snippet {
  language: string
  name: string | undefined
  code: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export function snippetsOf(markdown: string): Snippet[] {
  return [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, name, code]) => ({
    language: language as string,
    name,
    code: code as string,
  }))
}

/** A folder inside the project, where its packages are found and Node runs TypeScript; removed after the test. */
export async function snippetFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, '.snippets-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  return folder
}

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  paths: { '@usher/client': [join(root, 'client/src/index.ts')] },
}

/** Type-checks programs together; what the compiler has to say, or nothing. */
export async function problemsOf(programs: Record<string, string>): Promise<string> {
  const folder = await snippetFolder()
  for (const [name, code] of Object.entries(programs)) await writeFile(join(folder, name), code)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(programs) }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--checkers', '1', '--project', folder], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error)
  return stdout
}

/** The arguments of Node that run a program for which `@usher/client` is the source of this project. */
export const withClient = ['--import', join(root, 'test/support/client-source.ts')]
