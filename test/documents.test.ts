import { existsSync, globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { expect, it } from 'vitest'
import { operationKeys } from '../contract/attributes.ts'
import { paths } from '../contract/dashboard/paths.ts'
import { sdkErrorCodes } from '../contract/sdk/errors.ts'
import { isTopic, notificationTopics } from '../contract/topics.ts'

const read = async (name: string) => await readFile(new URL(`../${name}`, import.meta.url), 'utf8')

it.each([
  ['docs/retrying.md', 'whether a repeat of it is safe'],
  ['docs/concepts/attributes.md', 'what it does'],
  ['client/README.md', 'that the client has it'],
])('%s says of every attribute operation %s', async (name) => {
  const page = await read(name)
  expect(operationKeys.filter((key) => !page.includes(`\`${key}\``) && !page.includes(`{ "${key}": `))).toEqual([])
})

it('docs/webhooks.md has a row for every topic', async () => {
  const rows = (await read('docs/webhooks.md')).split('\n').filter((line) => line.startsWith('| `'))
  const topics = Object.keys(notificationTopics)
  expect(topics.filter((topic) => !rows.some((row) => row.includes(`\`${topic}\``)))).toEqual([])
})

it('docs/webhooks.md has no row for what is no topic', async () => {
  const rows = (await read('docs/webhooks.md')).split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => [...(row.split('|')[1] as string).matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !isTopic((name as string).replace('<name>', 'invoice_paid')))).toEqual([])
})

it('docs/protocol.md has a row for every code of the calls of pages, with its status, and no other', async () => {
  const rows = [...(await read('docs/protocol.md')).matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)]
  const codes = Object.entries(sdkErrorCodes).map(([code, { status }]) => `${code} ${status}`)
  expect(rows.map(([, code, status]) => `${code} ${status}`).toSorted()).toEqual(codes.toSorted())
})

it('docs/scaling.md names every setting of PostgreSQL that compose.citus.yaml sets', async () => {
  const compose = await read('compose.citus.yaml')
  const settings = [...compose.matchAll(/^ +- -c\n +- ([\w.]+)=/gm)].map(([, name]) => name as string)
  expect(settings).toContain('wal_level')
  const page = await read('docs/scaling.md')
  expect(settings.filter((name) => !page.includes(`\`${name}`))).toEqual([])
})

/** The files that a document names, perhaps without their first folders. */
const filesNamedBy = async (document: string) =>
  [...(await read(document)).matchAll(/`([\w./-]+\.(?:ts|md|sql))`/g)].map(([, name]) => name as string)

async function missing(named: readonly string[]): Promise<string[]> {
  const filesOf = async (folder: string) =>
    (await readdir(new URL(`../${folder}`, import.meta.url), { recursive: true })).map((file) => `/${folder}/${file}`)
  const files = (await Promise.all(['server', 'sdk/src', 'dashboard'].map(filesOf))).flat()
  const exists = (name: string) =>
    existsSync(new URL(`../${name}`, import.meta.url)) || files.some((file) => file.endsWith(`/${name}`))
  return named.filter((name) => !exists(name))
}

it('every file that ARCHITECTURE.md names exists', async () => {
  const named = await filesNamedBy('ARCHITECTURE.md')
  expect(named).toContain('writes/write.ts')
  expect(await missing(named)).toEqual([])
})

it('every file that a decision names with its folder exists', async () => {
  const decisions = globSync('docs/decisions/*.md', { cwd: new URL('..', import.meta.url) })
  const named = (await Promise.all(decisions.map(filesNamedBy))).flat().filter((name) => name.includes('/'))
  expect(named.length).toBeGreaterThan(100)
  expect(await missing(named)).toEqual([])
})

it('ARCHITECTURE.md says what each folder of the server and of the script is for', async () => {
  const foldersOf = async (folder: string) => {
    const entries = await readdir(new URL(`../${folder}`, import.meta.url), { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  }
  const page = await read('ARCHITECTURE.md')
  const firstCells = [...page.matchAll(/^\| (`.+?) \| /gm)].map(([, cell]) => cell).join()
  const named = new Set([...firstCells.matchAll(/`(?:server\/)?([\w-]+)\/?`/g)].map(([, name]) => name))
  expect((await foldersOf('server')).filter((name) => !named.has(name))).toEqual([])
  expect((await foldersOf('sdk/src')).filter((name) => !page.includes(`\`${name}/\``))).toEqual([])
})

it('every decision has its state and its day, and is in the list', async () => {
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: new URL('..', import.meta.url) })
  const list = await read('docs/decisions/README.md')
  expect(files.length).toBeGreaterThan(100)
  const state = /^# \d{3}: .+\n\n\*(Accepted|Replaced by \[\d{3}\]\([\w-]+\.md\)), \d{4}-\d\d-\d\d\.\*\n\n/
  for (const file of files) {
    expect(await read(file), file).toMatch(state)
    expect(list).toContain(`(${file.replace('docs/decisions/', '')})`)
  }
})

it('SECURITY.md lists every operation of the dashboard under the role that it needs, and no other', async () => {
  const [, list] = (await read('SECURITY.md')).split('### Operations of the dashboard by role')
  const rows = [...(list as string).matchAll(/^\| (\w+) \| (`.+`) \|$/gm)]
  const listed = rows.flatMap(([, role, names]) => (names as string).split(', ').map((name) => `${role} ${name}`))
  const needed = Object.entries(paths).map(([name, { role }]) => `${role} \`${name}\``)
  expect(listed.toSorted()).toEqual(needed.toSorted())
})

/** Pages that a running server makes, and that are no files. */
const MADE = /^\/docs\/(errors|limits|reference)\b/

it('every link between documents leads to a file, so that it can be followed in a checkout too', async () => {
  const files = globSync(['*.md', '{docs,client,sdk,examples}/**/*.md'], {
    cwd: new URL('..', import.meta.url),
    exclude: (name) => /node_modules|dist/.test(name),
  })
  const links: { file: string; target: string }[] = []
  for (const file of files)
    for (const [, target = ''] of (await read(file)).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g))
      if (!/^https?:/.test(target) && !MADE.test(target)) links.push({ file, target })
  expect(links.length).toBeGreaterThan(300)
  const leadsTo = ({ file, target }: { file: string; target: string }) =>
    !target.startsWith('/') && existsSync(new URL(`../${join(dirname(file), target)}`, import.meta.url))
  expect(links.filter((link) => !leadsTo(link))).toEqual([])
})

const INSTALLATION = /npx @usher\b.*|npm (?:i|install|exec|add)\b[^`\n]*usher[^`\n]*/g

it('no document installs a package that is not published, except from the files of a release', async () => {
  const files = globSync(['*.md', '*.yaml', 'Dockerfile', '{deploy,docs,client,sdk,examples}/**/*.{md,service,json}'], {
    cwd: new URL('..', import.meta.url),
    exclude: (name) => /node_modules|dist|openapi\.json/.test(name),
  })
  const texts = await Promise.all(files.map(async (file) => [file, await read(file)] as const))
  const installs = texts.flatMap(([file, text]) => [...text.matchAll(INSTALLATION)].map(([line]) => ({ file, line })))
  expect(installs.length).toBeGreaterThan(3)
  expect(installs.filter(({ line }) => !/\/usher-\w+-\*\.tgz/.test(line))).toEqual([])
})

it('every environment that a document gives to a command is written as it is named', async () => {
  const files = globSync(['*.md', '{docs,client,sdk,examples,deploy}/**/*.md'], {
    cwd: new URL('..', import.meta.url),
    exclude: (name) => /node_modules|dist/.test(name),
  })
  const texts = await Promise.all(files.map(async (file) => [file, await read(file)] as const))
  const wrong = texts.filter(([, text]) => /--environment (production|staging|demo)\b/.test(text))
  expect(wrong.map(([file]) => file)).toEqual([])
})
