import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { settingNames } from '../server/settings/config.ts'

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

it.each(['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions/README.md'])(
  'every link in %s leads somewhere',
  async (name) => {
    const page = new URL(name, root)
    const links = [...(await readFile(page, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link)
    for (const link of links) await expect(stat(new URL(link as string, page)), link).resolves.toBeDefined()
  },
)
