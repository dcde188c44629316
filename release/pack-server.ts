import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

/**
 * `node release/pack-server.ts [FOLDER]`: packs `@usher/server` into a tarball in FOLDER. Node does not run TypeScript
 * below node_modules, so the package carries the server as JavaScript, in the same folders, and the built dashboard.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const stage = join(root, 'release/server')

/** `--noCheck` among the options of tsc is for code whose types are checked elsewhere. */
export function packServer(destination: string, options: readonly string[] = []): string {
  if (!existsSync(join(root, 'dashboard/dist/index.html'))) throw new Error('build the dashboard first: npm ci')
  if (!existsSync(join(root, 'sdk/dist/usher.js'))) throw new Error('build the browser script first: npm ci')
  rmSync(stage, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const words = [tsc, '--checkers', '1', ...options, '--project', join(root, 'release/tsconfig.json')]
  execFileSync(process.execPath, words, { stdio: 'inherit' })
  // The types of the script are for its own package.
  for (const folder of ['migrations', 'dashboard/dist', 'sdk/dist', 'demo', 'docs', 'server/docs/assets'])
    cpSync(join(root, folder), join(stage, folder), { recursive: true, filter: (file) => !file.endsWith('.d.ts') })
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'client/README.md', 'sdk/README.md'])
    cpSync(join(root, file), join(stage, file))
  copyFileSync(join(root, 'release/bin.js'), join(stage, 'bin.js'))
  chmodSync(join(stage, 'bin.js'), 0o755)
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`)
  mkdirSync(destination, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', destination], { cwd: stage })
  return join(destination, packed.toString().trim().split('\n').at(-1) as string)
}

function packageManifest(): object {
  const { version, description, license, type, engines, dependencies, peerDependencies, peerDependenciesMeta } =
    manifest
  return {
    name: '@usher/server',
    version,
    description,
    license,
    type,
    engines,
    bin: { usher: 'bin.js' },
    scripts: { postinstall: 'node server/database/embedded/prepare.js' },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  }
}

if (import.meta.main) process.stdout.write(`${packServer(process.argv[2] ?? dirname(stage))}\n`)
