import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licenceProblems } from './licences.ts'
import { packServer } from './pack-server.ts'

/**
 * `npm run release`: checks licences and known vulnerabilities, and writes both tarballs and the SBOM into release/out.
 * Publishing them is left to whoever runs it.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'release/out')
const npm = (...words: string[]) =>
  execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

mkdirSync(out, { recursive: true })
const problems = licenceProblems(readFileSync(join(root, 'package-lock.json'), 'utf8'))
if (problems.length > 0) throw new Error(`licences to look at: ${problems.join(', ')}`)
npm('audit', '--audit-level=high', '--omit=dev')
writeFileSync(join(out, 'sbom.spdx.json'), npm('sbom', '--sbom-format=spdx', '--omit=dev'))
process.stdout.write(`${packServer(out)}\n`)
process.stdout.write(npm('pack', join(root, 'client'), '--pack-destination', out))
