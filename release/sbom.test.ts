import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type LockFile, sbomOf } from './sbom.ts'

it('the SBOM names every package of the published server, also those that development needs, and no others', () => {
  const lockFile = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
  const { packages } = JSON.parse(lockFile) as LockFile
  const expected = Object.entries(packages).flatMap(([path, { version, dev }]) =>
    path === '' || dev ? [] : [`${path.replace(/.*node_modules\//, '')}@${version}`],
  )
  expect(expected).toEqual(expect.arrayContaining([expect.stringMatching(/^ajv@/), expect.stringMatching(/^pino@/)]))
  const sbom = JSON.parse(sbomOf(lockFile)) as { name: string; packages: { name: string; versionInfo: string }[] }
  const named = sbom.packages.map(({ name, versionInfo }) => `${name}@${versionInfo}`)
  expect(named.filter((one) => !one.startsWith('usher@')).sort()).toEqual([...new Set(expected)].sort())
})
