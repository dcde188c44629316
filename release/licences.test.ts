import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dependencyPage, licenceProblems } from './licences.ts'

const lockFile = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')

it('every package of the published server has a licence that goes with ours', () => {
  expect(licenceProblems(lockFile)).toEqual([])
})

it('a package without one, or with another, is named', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', license: 'GPL-3.0' },
  }
  expect(licenceProblems(JSON.stringify({ packages }))).toEqual(['a@1.0.0: undefined', 'b@2.0.0: GPL-3.0'])
})

it('DEPENDENCIES.md lists every package of the published server', async () => {
  await expect(dependencyPage(lockFile)).toMatchFileSnapshot('../DEPENDENCIES.md')
})
