import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ours = fileURLToPath(new URL('../../node_modules', import.meta.url))

interface Manifest {
  name: string
  bin?: Record<string, string>
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/**
 * What `npm install TARBALL` does in an empty folder, without npm, which takes ten times the CPU time: the package, what
 * it declares and what that declares in turn, copied from the packages of this project; the commands; the postinstall
 * script.
 */
export async function installTarball(tarball: string, name: string, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  const own = join(modules, name)
  await mkdir(own, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  const manifest = await manifestIn(own)
  for (const declared of await declaredBy(manifest)) await copyPackage(declared, modules)
  await linkCommands(manifest, own, modules)
  const { postinstall } = manifest.scripts ?? {}
  const env = { ...process.env, PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter) }
  if (postinstall) await run('/bin/sh', ['-c', postinstall], { cwd: own, env })
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The names of all packages that it needs. An optional one may be for another platform, and not here. */
async function declaredBy({ dependencies, optionalDependencies }: Manifest, found = new Set<string>()) {
  const optional = Object.keys(optionalDependencies ?? {}).filter((name) => existsSync(join(ours, name)))
  for (const name of [...Object.keys(dependencies ?? {}), ...optional]) {
    if (found.has(name) || !existsSync(join(ours, name))) continue
    found.add(name)
    await declaredBy(await manifestIn(join(ours, name)), found)
  }
  return found
}

/** As hard links where that is possible: some hundred megabytes take eight seconds of CPU time to copy. */
async function copyPackage(name: string, modules: string): Promise<void> {
  const [from, to] = [join(ours, name), join(modules, name)]
  await mkdir(dirname(to), { recursive: true })
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  })
}

async function linkCommands({ bin }: Manifest, own: string, modules: string): Promise<void> {
  await mkdir(join(modules, '.bin'))
  for (const [command, file] of Object.entries(bin ?? {})) {
    await chmod(join(own, file), 0o755)
    await symlink(relative(join(modules, '.bin'), join(own, file)), join(modules, '.bin', command))
  }
}
