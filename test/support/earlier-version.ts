import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FIRST_RELEASE, readMigrations } from '../../server/database/migration-files.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()

/** The last commit before guided flows. */
const BEFORE_FLOWS = '0b04740'

/** The version before guided flows; none in a checkout without that commit. */
export function versionsBeforeFlows(): string[] {
  try {
    git('cat-file', '-e', `${BEFORE_FLOWS}^{commit}`)
    return [BEFORE_FLOWS]
  } catch {
    return []
  }
}

/**
 * The versions that nodes can be upgraded from one by one: the releases, or before the first one the commit that
 * completed its schema. None in a checkout without history.
 */
export async function earlierVersions(): Promise<string[]> {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return []
    const releases = git('tag', '--list', 'v*').split('\n').filter(Boolean)
    if (releases.length > 0) return releases
    const files = (await readMigrations()).flatMap(({ version, name }) =>
      version <= FIRST_RELEASE ? [`migrations/${name}.sql`] : [],
    )
    const completed = git('log', '-1', '--format=%h', '--diff-filter=A', '--', ...files)
    const isToday = git('diff', '--name-only', completed, '--', 'server') === ''
    return completed === '' || isToday ? [] : [completed]
  } catch {
    return []
  }
}

/** Writes the source of that version into the folder, beside today's packages, and returns its main file. */
export async function checkOut(version: string, folder: string): Promise<string> {
  await mkdir(folder)
  const archive = execFileSync('git', ['archive', version], { cwd: ROOT, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'server', 'main.ts')
}
