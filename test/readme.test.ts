import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from './support/database.ts'
import { spawnServer } from './support/process.ts'

const root = new URL('../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')

it('the table of settings has every setting that is read, and no other', async () => {
  const config = await readFile(new URL('server/config.ts', root), 'utf8')
  const read = new Set([...config.matchAll(/\btext\('([A-Z_]+)'\)/g)].map(([, name]) => name))
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` *\|/gm)].map(([, name]) => name)
  expect(read.size).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...read].toSorted())
})

it('every curl of the first calls works when pasted', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const server = await spawnServer({ DATABASE_URL: database.url })
  onTestFinished(async () => void (await server.end()))
  const section = /## First calls\n(.*?)\n## /s.exec(readme)?.[1] as string
  const calls = [...section.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([line]) => line)
  expect(calls).toHaveLength(7)
  for (const line of calls) {
    const env = { PATH: process.env.PATH, KEY: server.key, USHER: server.url }
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], { env })
    expect(JSON.parse(stdout), line).toHaveProperty('object')
  }
})

it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions/README.md'])(
  'every link in %s leads somewhere',
  async (name) => {
    const page = new URL(name, root)
    const links = [...(await readFile(page, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link)
    for (const link of links) await expect(stat(new URL(link as string, page)), link).resolves.toBeDefined()
  },
)
