import { execFile } from 'node:child_process'
import { readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isRunning } from '../../is-running.ts'
import type { DataFolder } from './data-folder.ts'

const FAST_MS = 20_000
const IMMEDIATE_MS = 5_000
const POLL_MS = 20

/** A running PostgreSQL, as its own `postmaster.pid` describes it. */
export interface Postmaster {
  pid: number
  socketFolder: string
  port: number
  /** `starting`, `ready`, `stopping` … */
  status: string
}

/** The PostgreSQL that runs on this cluster, started by any process. */
export async function findPostmaster(dataFolder: Pick<DataFolder, 'cluster'>): Promise<Postmaster | undefined> {
  const lines = await readLines(join(dataFolder.cluster, 'postmaster.pid'))
  const pid = Number(lines[0])
  if (!pid || !(await isPostmasterOf(dataFolder.cluster, pid))) return undefined
  return { pid, port: Number(lines[3]), socketFolder: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? 'starting' }
}

/**
 * PostgreSQL removes the lock files of a dead process itself. After a crash or a reboot the number may belong to another
 * program, and PostgreSQL takes it for a running server. Only in that case the files are removed here: otherwise a
 * starting server may just have written them.
 */
export async function removeStaleLocks(dataFolder: DataFolder): Promise<void> {
  const files = [join(dataFolder.cluster, 'postmaster.pid')]
  if (dataFolder.record.socketFolder) files.push(join(dataFolder.record.socketFolder, '.s.PGSQL.5432.lock'))
  for (const file of files) {
    const pid = Number((await readLines(file))[0])
    if (pid && isRunning(pid) && !(await isPostmasterOf(dataFolder.cluster, pid))) await rm(file, { force: true })
  }
}

/** Fast shutdown; then immediate, which costs a recovery at the next start and no data; then SIGKILL. */
export async function stopPostmaster(dataFolder: DataFolder, postmaster: Postmaster): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
    ['SIGKILL', IMMEDIATE_MS],
  ]
  for (const [signal, waitMs] of steps) {
    if (!signalTo(postmaster.pid, signal)) break
    if (await hasGone(dataFolder, postmaster.pid, waitMs)) break
  }
  // Fails when it is not empty: the next PostgreSQL may use it already.
  await rmdir(postmaster.socketFolder).catch(() => undefined)
}

export function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function hasGone(dataFolder: DataFolder, pid: number, waitMs: number): Promise<boolean> {
  for (const end = performance.now() + waitMs; performance.now() < end; await delay(POLL_MS)) {
    if (!(await isPostmasterOf(dataFolder.cluster, pid))) return true
  }
  return false
}

/**
 * Compares the command line, which every process may read. In a container without SYS_PTRACE even root cannot read
 * `/proc/PID/cwd` of another user's process. A zombie has no command line, and counts as gone.
 */
async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return text.includes(`-D\0${cluster}\0`)
  }
  const ps = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return ps.stdout.includes(`-D ${cluster} `)
}

async function readLines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split('\n')
}
