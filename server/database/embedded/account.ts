import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Log } from '../../log.ts'
import { StartupError } from '../../startup-error.ts'

const run = promisify(execFile)

/** The user that PostgreSQL runs as; undefined means our own. */
export interface Account {
  uid: number
  gid: number
}

/** `postgres` on Linux, `_postgres` on macOS, `usher` where we made it at an earlier start. */
const KNOWN_NAMES = ['postgres', '_postgres', 'usher']

/** The second is for BusyBox, which has no useradd. */
const WAYS_TO_CREATE: [string, string[]][] = [
  ['useradd', ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false', 'usher']],
  ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false', 'usher']],
]

/**
 * PostgreSQL refuses to run as root. initdb looks up the name of its user and fails without one, so a numeric uid without a
 * name is not enough. `nobody` comes last: other services may run as it too, and could then read the files of the
 * database.
 */
export async function chooseAccount(log: Log): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const known = await lookUpFirst(KNOWN_NAMES)
  if (known) return known
  const account = (await createAccount()) ?? (await lookUp('nobody'))
  if (!account) throw new StartupError('PostgreSQL cannot run as root: create a user named "usher" and start again')
  log.info({ uid: account.uid }, 'PostgreSQL cannot run as root and runs as this user')
  return account
}

/** For work that leaves no files of that user: no user is created. */
export async function existingAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const account = await lookUpFirst([...KNOWN_NAMES, 'nobody'])
  if (!account) throw new Error('PostgreSQL cannot run as root, and there is no other user')
  return account
}

/** Asks the system instead of checking the modes of a path: access lists and mounts matter too. */
export async function canUse(account: Account | undefined, path: string, test: '-x' | '-r'): Promise<boolean> {
  if (!account) return true
  return run('/bin/sh', ['-c', `test ${test} "$1"`, 'sh', path], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function lookUpFirst(names: string[]): Promise<Account | undefined> {
  for (const name of names) {
    const account = await lookUp(name)
    if (account) return account
  }
  return undefined
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createAccount(): Promise<Account | undefined> {
  for (const [command, parameters] of WAYS_TO_CREATE) {
    await run(command, parameters).catch(() => undefined)
    const account = await lookUp('usher')
    if (account) return account
  }
  return undefined
}
