import { readdir, readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { identitySnippets } from '../dashboard/install/snippets.ts'
import { readConfig, settingNames } from '../server/settings/config.ts'

const root = new URL('../', import.meta.url)
/** By this `npm start` is noticed. */
const OF_NPM = 'npm_lifecycle_event'
const readme = await readFile(new URL('README.md', root), 'utf8')

it('the table of settings has every setting that is read, and no other', () => {
  const read = settingNames().filter((name) => name !== OF_NPM)
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` *\|/gm)].map(([, name]) => name)
  expect(read.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual(read.toSorted())
})

it('a server and commands take every variable that the documents and the dashboard tell to set', async () => {
  const pages = (await readdir(new URL('docs', root), { recursive: true })).filter((name) => name.endsWith('.md'))
  const files = [...pages.map((name) => `docs/${name}`), 'README.md', 'client/README.md', 'examples/README.md']
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, root), 'utf8')))
  const shown = [...texts, ...Object.values(identitySnippets)].join('\n')
  const settings = new Set(settingNames())
  const others = new Set((shown.match(/\bUSHER_[A-Z_]+\b/g) ?? []).filter((name) => !settings.has(name)))
  expect([...others].toSorted()).toEqual(['USHER_IDENTITY_SECRET', 'USHER_URL', 'USHER_WEBHOOK_SECRET'])
  for (const name of others) expect(() => readConfig({ [name]: 'x' }), name).not.toThrow()
})

it.each(['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions/README.md'])(
  'every link in %s leads somewhere',
  async (name) => {
    const page = new URL(name, root)
    const links = [...(await readFile(page, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link)
    for (const link of links) await expect(stat(new URL(link as string, page)), link).resolves.toBeDefined()
  },
)
