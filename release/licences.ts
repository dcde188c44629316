import { readFileSync } from 'node:fs'

/** The licences that go with ours. A package under another one needs a look before it is added here. */
const ACCEPTED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
  'Unlicense',
  'PostgreSQL',
  'Python-2.0',
])

interface Locked {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
}

/** The packages of the published server whose licence is unknown or not accepted. */
export function licenceProblems(lockFile: string): string[] {
  const { packages } = JSON.parse(lockFile) as Locked
  return Object.entries(packages).flatMap(([path, { version, license, dev, link }]) => {
    if (path === '' || dev || link) return []
    const choices = (license ?? 'none').replace(/[()]/g, '').split(' OR ')
    return choices.some((one) => ACCEPTED.has(one))
      ? []
      : [`${path.replace('node_modules/', '')}@${version}: ${license}`]
  })
}

const HEADING = `# Dependencies

The packages of the published server, with their versions and licences, from the lock file. The script and the client have none. \`npx vitest run release/licences.test.ts -u\` writes this page again.

| package | version | licence |
| --- | --- | --- |
`

/** The page that lists every package of the published server. */
export function dependencyPage(lockFile: string): string {
  const { packages } = JSON.parse(lockFile) as Locked
  const rows = Object.entries(packages).flatMap(([path, { version, license, dev, link }]) =>
    path === '' || dev || link ? [] : [`| ${path.replace(/^.*node_modules\//, '')} | ${version} | ${license} |\n`],
  )
  return HEADING + [...new Set(rows)].toSorted().join('')
}

if (import.meta.main) {
  const problems = licenceProblems(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(problems.length > 0 ? 1 : 0)
}
