import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')

it('the table of settings has every setting that is read, and no other', async () => {
  const config = await readFile(new URL('server/settings/config.ts', root), 'utf8')
  const read = new Set([...config.matchAll(/\btext\('([A-Z_]+)'\)/g)].map(([, name]) => name))
  const listed = [...readme.matchAll(/^\| `([A-Z_]+)` *\|/gm)].map(([, name]) => name)
  expect(read.size).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...read].toSorted())
})

it.each(['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/decisions/README.md'])(
  'every link in %s leads somewhere',
  async (name) => {
    const page = new URL(name, root)
    const links = [...(await readFile(page, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link)
    for (const link of links) await expect(stat(new URL(link as string, page)), link).resolves.toBeDefined()
  },
)
