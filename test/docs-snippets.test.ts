import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { createHmac, createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { operations } from '../contract/operations.ts'
import { exampleCalls, exampleIds, exampleReceiver } from '../server/docs/example-calls.ts'
import { preparation, samplesOf } from '../server/docs/samples.ts'
import { checkProof } from '../server/sdk/proof.ts'
import type { Outcome } from './support/command.ts'
import type { CommandToRun } from './support/command-runner.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './support/database.ts'
import { isInstalled } from './support/installed.ts'
import { startNode, type TestNode } from './support/node.ts'
import { forkBeside } from './support/process.ts'
import { httpReceiver } from './support/receivers.ts'
import { problemsOf, snippetFolder, snippetsOf, withClient } from './support/snippets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

// Dozens of processes one after the other: minutes on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

let database: TestDatabase
let server: TestNode
let commands: ChildProcess
/** For the TypeScript of all pages. */
let pageRunner: ChildProcess
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startNode({ DATABASE_URL: database.url })
  commands = await forkBeside('command-runner')
  pageRunner = fork(join(root, 'test/support/snippet-runner.ts'), { execArgv: withClient, env: environment() })
})
afterAll(async () => {
  // Nothing that a command or a program leaves behind keeps its process from ending.
  for (const child of [commands, pageRunner]) {
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  await server.end()
  await database.close()
})

const environment = () => ({
  ...{
    PATH: process.env.PATH as string,
    HOME: process.env.HOME as string,
    USHER_LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
  },
  ...{ USHER_URL: server.url, USHER_API_KEY: server.key },
})

/**
 * What is not run here. The first start: test/first-minute.test.ts. The packages: test/package.test.ts and
 * client/test/package.test.ts. The check of a page: server/command/content. `npm test`: this is it. A start with databases of others, and the addresses and keys that the
 * snippets here are given by the environment.
 */
const elsewhere = /^(npm ci\b|npm install|npx usher content check|export )|(^|\s)npm start$/

/** Commands that can be pasted one by one; a line that ends in a backslash continues on the next. */
function commandsOf(code: string): string[] {
  return [...code.matchAll(/^(?:.*\\\n)*.+$/gm)].map(([line]) => line).filter((line) => !elsewhere.test(line))
}

/** Files that the commands of the documents read, under the names that they have there. */
const files: Record<string, string | Buffer> = {
  'users.csv': 'id,attributes.name\nada,Ada\n',
  '2024.ndjson.gz': gzipSync('{"name":"tick","user_id":"ada","time":"2024-05-01T08:00:00Z"}\n'),
  '2025.ndjson.gz': gzipSync('{"name":"tick","user_id":"ada","time":"2025-05-01T08:00:00Z"}\n'),
}

/** In its own folder; a backup is put back into the database `spare`, where no server runs. */
async function pasteInto(folder: string, spare: TestDatabase, line: string): Promise<void> {
  const command = line.replaceAll('/backups/', `${folder}/`).replace(/\s+#.*$/, '')
  if (!PLAIN_COMMAND.test(command)) return void (await shell(command, folder))
  const words = command.split(' ').slice(2)
  const settings = { ...environment(), ...(words[0] === 'restore' && { DATABASE_URL: spare.url }) }
  commands.send({ words, settings, folder } satisfies CommandToRun)
  const [outcome] = (await once(commands, 'message')) as [Outcome]
  expect(outcome, `${line}: ${outcome.stderr}`).toMatchObject({ code: 0 })
}

/** These run in one process: what npx does takes 1.5 s of CPU time each, and test/signals.test.ts has the command by npx. */
const PLAIN_COMMAND = /^npx usher( [\w./-]+)+$/

async function shell(line: string, cwd = root, settings: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', line], { env: { ...environment(), ...settings }, cwd })
  if (line.startsWith('curl')) expect(JSON.parse(stdout), line).not.toHaveProperty('error')
  return stdout
}

async function python(code: string): Promise<string> {
  const file = join(await snippetFolder(), 'snippet.py')
  await writeFile(file, code)
  return (await run('python3', [file], { env: environment() })).stdout
}

/** In a process that is used for the next program too. */
async function inRunner(runner: ChildProcess, code: string): Promise<string> {
  const file = join(await snippetFolder(), 'snippet.ts')
  await writeFile(file, code)
  runner.send(file)
  const [{ printed, failure }] = (await once(runner, 'message')) as [{ printed: string; failure?: string }]
  if (failure !== undefined) throw new Error(failure)
  return printed
}

/**
 * Every page with snippets but five. docs/guides/first-flow.md: test/browser/first-flow.test.ts follows it.
 * docs/webhooks.md: its receivers run in test/webhooks-guide.test.ts.
 * docs/command-line.md is the output of --help. docs/benchmarks.md has commands that take ten minutes. The decisions have
 * none to paste.
 */
/** Its files are the folder `flows` of every page. */
const FLOWS = 'docs/guides/flows-as-code.md'
const PLANS = 'docs/concepts/plans.md'
const FIRST_FLOW = 'docs/guides/first-flow.md'
const pages = [
  ...['README.md', 'examples/README.md'],
  ...[
    'quick-start',
    'retrying',
    'upgrading',
    'operations',
    'importing',
    'coming-from',
    'protocol',
    'document',
    'troubleshooting',
  ].map((name) => `docs/${name}.md`),
  ...['docs/concepts', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
]
  .filter((page) => page !== FIRST_FLOW)
  // It makes a second account, so that `--environment Production` alone no longer says which one.
  .toSorted((one, other) => Number(one === PLANS) - Number(other === PLANS))

it('every page of the documents with a snippet is among those that are tried', () => {
  const tried = [...pages, FIRST_FLOW, 'docs/webhooks.md', 'docs/command-line.md', 'docs/benchmarks.md']
  const withSnippets = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
    .map((name) => `docs/${name}`)
    .filter((name) => readFileSync(join(root, name), 'utf8').includes('```'))
  expect(withSnippets.filter((name) => !tried.includes(name))).toEqual([])
})

/** The files that a page says to save. */
function savedFiles(page: string): Record<string, string> {
  const text = readFileSync(join(root, page), 'utf8')
  const found = text.matchAll(/^Save this as `([^`\n]+)`:\n\n```json\n(.+?)^```$/gms)
  return Object.fromEntries([...found].map(([, name, code]) => [name, code] as [string, string]))
}

/** Their interpreters are not among what this project needs. They run where they are installed. */
const elsewhereInstalled = ['ruby', 'php']

it('the signatures and tokens of docs/guides/verify-identity.md prove who the user is, in every language', async () => {
  const page = 'docs/guides/verify-identity.md'
  const expected = createHmac('sha256', 'ids_example').update('u_1').digest('hex')
  const prints = async (printed: string) => {
    const [signature, token = '', ...more] = printed.split('\n')
    expect([signature, more]).toEqual([expected, ['']])
    const secrets = [{ id: '1', key: createSecretKey('ids_example', 'utf8') }]
    const proof = await checkProof({ identity: 'required', secrets }, 'u_1', { token })
    expect(proof).toEqual({ kind: 'signed', secretId: '1', groupId: 'g_1' })
  }
  await prints(await python(storyOf(page, 'python')))
  await prints(await inRunner(pageRunner, storyOf(page, 'ts')))
  for (const language of elsewhereInstalled.filter(isInstalled)) {
    const file = join(await snippetFolder(), `snippet.${language}`)
    await writeFile(file, storyOf(page, language))
    await prints((await run(language, [file])).stdout)
  }
})

const snippetsIn = (page: string) => snippetsOf(readFileSync(join(root, page), 'utf8'))
/** Those of the reference. */
const samples = exampleCalls.map((call) => {
  const { method, path } = operations[call.operation]
  return { call, ...samplesOf(method, path, call) }
})
/** The snippets of a page in one language, as one program. */
const storyOf = (page: string, language: string) =>
  snippetsIn(page)
    .flatMap((one) => (one.language === language ? one.code : []))
    .join('\n')

// Together: each run of the compiler reads the types of Node and of the client anew.
it('the TypeScript of all pages and of the reference compiles', async () => {
  const programs = pages.map((page) => [`${page.replaceAll('/', '-')}.ts`, storyOf(page, 'ts')])
  const calls = samples.map(({ call, TypeScript }) => [
    `${call.operation}.ts`,
    `${preparation.TypeScript}\n${TypeScript}`,
  ])
  expect(await problemsOf(Object.fromEntries([...programs, ...calls].filter(([, code]) => code)))).toBe('')
})

describe.each(pages)('%s', (page) => {
  const snippets = snippetsIn(page)
  const story = (language: string) => storyOf(page, language)

  it('has snippets in languages that are tried', () => {
    for (const { language } of snippets)
      expect(['sh', 'ts', 'python', 'json', 'promql', ...elsewhereInstalled]).toContain(language)
    for (const { language, code } of snippets) if (language === 'json') JSON.parse(code)
  })

  it.runIf(commandsOf(story('sh')).length > 0)('every command works when pasted', async () => {
    const folder = await snippetFolder()
    for (const [name, content] of Object.entries({ ...files, ...savedFiles(FLOWS), ...savedFiles(page) })) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    const spare = await createEmptyDatabase()
    onTestFinished(async () => await spare.close())
    for (const line of commandsOf(story('sh'))) await pasteInto(folder, spare, line)
  })

  it.runIf(story('ts'))('the TypeScript runs', async () => {
    await inRunner(pageRunner, story('ts'))
  })

  it.runIf(story('python'))('the Python runs', async () => {
    await python(story('python'))
  })

  it.runIf(story('promql'))('every figure that it asks for is one that a server has', async () => {
    const figures = await (await fetch(`${server.url}/metrics`)).text()
    for (const [name] of story('promql').matchAll(/\busher_\w+/g)) expect(figures).toContain(`# TYPE ${name} `)
  })
})

describe('the reference', () => {
  /** The fields of answers with ids that later calls name. */
  const made: Record<string, Record<string, string>> = {
    testWebhookSubscription: { id: exampleIds.delivery },
    trackEvent: { id: exampleIds.event },
    saveContent: { id: exampleIds.content, draft_version_id: exampleIds.version },
    claimContent: { id: exampleIds.session },
    createWebhookSubscription: { id: exampleIds.subscription },
  }

  /** Runs all samples of a language in their order, with the ids of this server instead of the shown ones. */
  async function walk(language: 'curl' | 'TypeScript' | 'Python', execute: (code: string) => Promise<string>) {
    const receiver = await httpReceiver((_request, response) => void response.end('ok'))
    onTestFinished(async () => await receiver.close())
    const ids: [string, string][] = [[exampleReceiver, `http://127.0.0.1:${receiver.port}/`]]
    for (const { call, ...one } of samples) {
      const code = ids.reduce((text, [shown, real]) => text.replaceAll(shown, real), one[language])
      const answer = await execute(code)
      for (const [field, example] of Object.entries(made[call.operation] ?? {}))
        ids.push([example, new RegExp(`["']?\\b${field}["']?: ?["']([0-9a-f-]{36})["']`).exec(answer)?.[1] as string])
    }
  }

  it('every curl works when pasted', async () =>
    await walk('curl', async (code) => (await shell(code)).replaceAll('":', '": ')))

  it('every TypeScript call works after the preparation', async () => {
    // In one process: starting one for each took 10 s of CPU time.
    const runner = fork(join(root, 'test/support/snippet-runner.ts'), { execArgv: withClient, env: environment() })
    await walk('TypeScript', async (code) => await inRunner(runner, `${preparation.TypeScript}\n${code}`))
    // Nothing that a call leaves behind keeps the process from ending.
    runner.disconnect()
    expect(await once(runner, 'exit')).toEqual([0, null])
  })

  it('every Python call works after the preparation', async () => {
    const runner = spawn('python3', [join(root, 'test/support/snippet-runner.py')], { env: environment() })
    const lines = createInterface(runner.stdout)
    await walk('Python', async (code) => {
      runner.stdin.write(`${JSON.stringify(`${preparation.Python}\n${code}`)}\n`)
      const [line] = (await once(lines, 'line')) as [string]
      const { printed, failure } = JSON.parse(line) as { printed: string; failure: string | null }
      if (failure !== null) throw new Error(failure)
      return printed
    })
    runner.stdin.end()
    expect(await once(runner, 'exit')).toEqual([0, null])
  })
})
