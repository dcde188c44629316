import { randomBytes } from 'node:crypto'
import { lchown, rm, writeFile } from 'node:fs/promises'
import { tuning } from '../../tuning.ts'
import { type Programs, runAs } from './programs.ts'

export const USER = 'usher'
export const DATABASE = 'usher'

/**
 * Creates a cluster with our user and database, and a random password that is thrown away: `setPassword` sets the real one.
 * C.UTF-8 of the builtin provider sorts by code point, knows Unicode's cases, and never changes with the system.
 */
export async function initialise(programs: Programs, folder: string): Promise<void> {
  const { account, binaries } = programs
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  if (account) await lchown(passwordFile, account.uid, account.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username', USER, '--auth=scram-sha-256', '--pwfile', passwordFile]
  const storage = ['--data-checksums', '--no-sync', `--wal-segsize=${tuning.postgres.segmentMegabytes}`]
  const options = ['--pgdata', folder, '--no-instructions', ...storage, ...locale, ...access]
  try {
    await runAs(programs, binaries.initdb, options)
    await runStatement(programs, folder, `create database ${DATABASE}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

export async function setPassword(programs: Programs, folder: string, password: string): Promise<void> {
  await runStatement(programs, folder, `alter role ${USER} password '${password.replaceAll("'", "''")}'`)
}

/** The steps before did not wait for the disk. */
export async function syncCluster(programs: Programs, folder: string): Promise<void> {
  await runAs(programs, programs.binaries.initdb, ['--sync-only', '--pgdata', folder])
}

/** In a PostgreSQL without a socket, so that there are no other sessions. */
async function runStatement(programs: Programs, folder: string, statement: string): Promise<void> {
  const options = ['--single', '-F', '-c', 'exit_on_error=on', '-D', folder, 'postgres']
  await runAs(programs, programs.binaries.postgres, options, `${statement}\n`)
}
