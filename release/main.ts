import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { licenceProblems } from './licences.ts'
import { packServer } from './pack-server.ts'
import { sbomOf } from './sbom.ts'

/**
 * `npm run release [-- --out FOLDER] [--without-audit]`: checks licences and known vulnerabilities, and writes the
 * tarballs and the SBOM into release/out. It does not publish them.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' }, 'without-audit': { type: 'boolean' } } })
const out = resolve(values.out ?? join(root, 'release/out'))
const say = (line: string) => void process.stdout.write(`${line}\n`)
const npm = (...words: string[]) =>
  execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Some registries do not support audits: then a person must decide to release without one. */
function audit(): string {
  if (values['without-audit']) return 'audit: left out, as asked'
  try {
    npm('audit', '--audit-level=high', '--omit=dev')
  } catch {
    fail(
      'npm audit found something, or the registry does not answer it (see above). Without the audit: npm run release -- --without-audit',
    )
  }
  return 'audit: no high findings'
}

const lockFile = readFileSync(join(root, 'package-lock.json'), 'utf8')
const problems = licenceProblems(lockFile)
if (problems.length > 0) fail(`licences to look at: ${problems.join(', ')}`)
say('licences: all accepted')
say(audit())
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'sbom.spdx.json'), sbomOf(lockFile))
say(join(out, 'sbom.spdx.json'))
say(packServer(out))
rmSync(join(root, 'release/server'), { recursive: true, force: true })
for (const folder of ['client', 'sdk']) {
  const packed = npm('pack', '--silent', join(root, folder), '--pack-destination', out)
  say(join(out, packed.trim().split('\n').at(-1) as string))
}
