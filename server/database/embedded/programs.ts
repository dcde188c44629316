import { type ExecFileOptions, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { tuning } from '../../tuning.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'

/** PostgreSQL's programs do not inherit our environment: PGPORT or LC_ALL must not change the database. */
export const ENVIRONMENT = {
  LC_ALL: 'C',
  PATH: '/usr/bin:/bin',
  MALLOC_TRIM_THRESHOLD_: String(tuning.postgres.trimThresholdBytes),
  MALLOC_TOP_PAD_: String(tuning.postgres.topPadBytes),
}

/** The programs of PostgreSQL, and the user that they run as. */
export interface Programs {
  binaries: Binaries
  account: Account | undefined
}

/** Runs a program to its end as the user of PostgreSQL; `input` is what it reads. */
export async function runAs(
  { account }: Pick<Programs, 'account'>,
  file: string,
  parameters: string[],
  input = '',
): Promise<void> {
  const options: ExecFileOptions = { ...account, cwd: '/', env: ENVIRONMENT }
  const running = promisify(execFile)(file, parameters, options)
  // A program that ends before it has read its input reports its own error.
  running.child.stdin?.on('error', () => undefined)
  running.child.stdin?.end(input)
  await running
}
