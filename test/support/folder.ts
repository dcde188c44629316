import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that the user of PostgreSQL can enter too, so that a test or a benchmark run by root leaves nothing outside it. */
export async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'usher-test-'))
  await chmod(folder, 0o755)
  return folder
}
