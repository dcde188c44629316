import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface LockFile {
  name?: string
  packages: Record<string, { version?: string; dev?: boolean; devDependencies?: object }>
}

/** What is left of a lock file without the packages that are for development only. */
function withoutDevelopment(lock: LockFile): LockFile {
  const { devDependencies: _, ...root } = lock.packages[''] ?? {}
  const others = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  return { ...lock, packages: { '': root, ...Object.fromEntries(others) } }
}

/**
 * The SBOM of the published server, for all platforms. `npm sbom --omit=dev` also omits packages of the server that a
 * development dependency needs too (npm/cli#7909), so it is called for a project without development dependencies.
 */
export function sbomOf(lockFile: string): string {
  const lock = withoutDevelopment(JSON.parse(lockFile) as LockFile)
  const folder = mkdtempSync(join(tmpdir(), 'usher-sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(lock.packages['']))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    return execFileSync('npm', ['sbom', '--sbom-format=spdx', '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
