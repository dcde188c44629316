import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '../contract/operations.ts'
import { exampleCalls, exampleIds, exampleReceiver } from '../server/docs/example-calls.ts'
import { preparation, samplesOf } from '../server/docs/samples.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { type ServerProcess, spawnServer } from './support/process.ts'
import { httpReceiver } from './support/receivers.ts'
import { problemsOf, snippetFolder, snippetsOf, withClient } from './support/snippets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  database = await createTestDatabase()
  server = await spawnServer({ DATABASE_URL: database.url })
})
afterAll(async () => {
  await server.end()
  await database.close()
})

const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, USHER_LOG_LEVEL: 'silent', DATABASE_URL: database.url },
  ...{ USHER_URL: server.url, USHER_API_KEY: server.key, USHER: server.url, KEY: server.key },
})

/** What other tests run: the first start, the packages, and addresses that the snippets here are given. */
const elsewhere = /^(npm ci\b|npm start|npx @usher\/server|npm install|export )/

/** Commands that can be pasted one by one; a line that ends in a backslash goes on. */
function commandsOf(code: string): string[] {
  return [...code.matchAll(/^(?:.*\\\n)*.+$/gm)].map(([line]) => line).filter((line) => !elsewhere.test(line))
}

async function shell(line: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', line], { env: environment(), cwd: root })
  if (line.startsWith('curl')) expect(JSON.parse(stdout), line).not.toHaveProperty('error')
  return stdout
}

async function python(code: string): Promise<string> {
  const file = join(await snippetFolder(), 'snippet.py')
  await writeFile(file, code)
  return (await run('python3', [file], { env: environment() })).stdout
}

async function typescript(code: string): Promise<string> {
  const file = join(await snippetFolder(), 'snippet.ts')
  await writeFile(file, code)
  return (await run(process.execPath, [...withClient, file], { env: environment() })).stdout
}

const pages = [
  ...['quick-start.md', 'retrying.md', 'upgrading.md'],
  ...['concepts', 'guides'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) => `${folder}/${name}`),
  ),
]

describe.each(pages)('%s', (page) => {
  const snippets = snippetsOf(readFileSync(join(root, 'docs', page), 'utf8'))
  const story = (language: string) => snippets.flatMap((one) => (one.language === language ? one.code : [])).join('\n')

  it('has snippets in languages that are tried', () => {
    for (const { language } of snippets) expect(['sh', 'ts', 'python', 'json']).toContain(language)
    for (const { language, code } of snippets) if (language === 'json') JSON.parse(code)
  })

  it.runIf(story('sh'))('every command works when pasted', async () => {
    onTestFinished(async () => await rm(join(root, 'before-upgrade.backup'), { force: true }))
    for (const line of commandsOf(story('sh'))) await shell(line)
  })

  it.runIf(story('ts'))('the TypeScript compiles and runs', async () => {
    expect(await problemsOf({ 'snippet.ts': story('ts') })).toBe('')
    await typescript(story('ts'))
  })

  it.runIf(story('python'))('the Python runs', async () => {
    await python(story('python'))
  })
})

describe('the reference', () => {
  const samples = exampleCalls.map((call) => {
    const { method, path } = operations[call.operation as keyof typeof operations]
    return { call, ...samplesOf(method, path, call) }
  })
  const made: Record<string, string> = {
    testWebhookSubscription: exampleIds.delivery,
    trackEvent: exampleIds.event,
    createWebhookSubscription: exampleIds.subscription,
  }

  it('has an example of every operation', () => {
    expect(exampleCalls.map(({ operation }) => operation).toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  /** Runs all samples of a language in their order, with the ids that the server made in place of those shown. */
  async function walk(language: 'curl' | 'TypeScript' | 'Python', execute: (code: string) => Promise<string>) {
    const receiver = await httpReceiver((_request, response) => void response.end('ok'))
    onTestFinished(async () => await receiver.close())
    const ids: [string, string][] = [[exampleReceiver, `http://127.0.0.1:${receiver.port}/`]]
    for (const { call, ...one } of samples) {
      const code = ids.reduce((text, [shown, real]) => text.replaceAll(shown, real), one[language] ?? '')
      expect(code, call.operation).not.toBe('')
      const answer = await execute(code)
      const example = made[call.operation]
      if (example) ids.push([example, /["']?id["']?: ?["']([0-9a-f-]{36})["']/.exec(answer)?.[1] as string])
    }
  }

  it('every curl works when pasted', async () =>
    await walk('curl', async (code) => (await shell(code)).replaceAll('":', '": ')))

  it('every TypeScript call works after the preparation', async () => {
    const programs = samples.map(({ call, TypeScript }) => [
      `${call.operation}.ts`,
      `${preparation.TypeScript}\n${TypeScript}`,
    ])
    expect(await problemsOf(Object.fromEntries(programs))).toBe('')
    await walk('TypeScript', async (code) => await typescript(`${preparation.TypeScript}\n${code}`))
  })

  it('every Python call works after the preparation', async () => {
    await walk('Python', async (code) => await python(`${preparation.Python}\n${code}`))
  })
})
