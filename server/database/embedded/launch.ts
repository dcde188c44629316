import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { StartupError } from '../../startup-error.ts'
import { ensureCluster } from './cluster.ts'
import { ping } from './connection.ts'
import type { DataFolder } from './data-folder.ts'
import { linesSince, openLogFile, sizeOf, summarise } from './log-file.ts'
import { findPostmaster, type Postmaster, removeStaleLocks, stopPostmaster } from './postmaster.ts'
import { ENVIRONMENT } from './programs.ts'
import { settingArguments } from './settings.ts'
import { ensureSocketFolder, removeSocketFolder } from './socket-folder.ts'

/** Recovery after a crash replays at most `max_wal_size`; a slow disk may need minutes for that. */
const RECOVERY_MS = 5 * 60_000
/** For a PostgreSQL that is ready by its own files but does not answer: its socket was removed, or it hangs. */
const SILENCE_MS = 3_000
const ATTEMPTS = 20
/** Errors that pass: the last processes of a killed PostgreSQL are ending, or a stopping one has just removed the socket folder. */
const PASSING = /pre-existing shared memory block|could not create lock file "[^"]*\.s\.PGSQL/
const POLL_MS = 20

export interface Running {
  postmaster: Postmaster
  /** Whether this call started it. */
  started: boolean
}

/** Finds the PostgreSQL of this data folder and waits until it answers, or starts one. */
export async function ensureRunning(dataFolder: DataFolder, log: Log, signal?: AbortSignal): Promise<Running> {
  await ensureCluster(dataFolder)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    signal?.throwIfAborted()
    const found = await findPostmaster(dataFolder)
    const postmaster = found ? await adopt(dataFolder, found, log, signal) : await launch(dataFolder, log, signal)
    if (postmaster) return { postmaster, started: !found }
    await delay(attempt * POLL_MS)
  }
  throw new StartupError(`PostgreSQL does not stay up; its log is ${dataFolder.logFile}`)
}

async function adopt(
  dataFolder: DataFolder,
  found: Postmaster,
  log: Log,
  signal?: AbortSignal,
): Promise<Postmaster | undefined> {
  const postmaster = found.status === 'stopping' ? undefined : await untilReady(dataFolder, log, { signal })
  if (postmaster) return postmaster
  signal?.throwIfAborted()
  log.warn({ pid: found.pid, status: found.status }, 'the running PostgreSQL does not answer, it is restarted')
  await stopPostmaster(dataFolder, found)
  return undefined
}

/** Undefined when another server was faster. Its PostgreSQL is then used. */
async function launch(dataFolder: DataFolder, log: Log, signal?: AbortSignal): Promise<Postmaster | undefined> {
  await removeStaleLocks(dataFolder)
  const logStart = await sizeOf(dataFolder.logFile)
  const child = await spawnPostgres(dataFolder)
  const postmaster = await untilReady(dataFolder, log, { child, signal })
  if (signal?.aborted) await endChild(child)
  signal?.throwIfAborted()
  if (postmaster && postmaster.pid === child.pid) return postmaster
  const winner = await findPostmaster(dataFolder)
  if (winner?.socketFolder !== dataFolder.record.socketFolder) await removeSocketFolder(dataFolder)
  if (winner) return undefined
  const lines = await linesSince(dataFolder.logFile, logStart)
  if (lines.some((line) => PASSING.test(line))) return undefined
  throw new StartupError(`PostgreSQL did not start: ${summarise(lines)} (log: ${dataFolder.logFile})`)
}

/** Detached: a Ctrl-C on our terminal must not stop the database before we have finished with it. */
async function spawnPostgres(dataFolder: DataFolder): Promise<ChildProcess> {
  const folder = await ensureSocketFolder(dataFolder)
  const log = await openLogFile(dataFolder.logFile)
  try {
    const options = ['-D', dataFolder.cluster, '-k', folder, ...settingArguments()]
    const stdio = ['ignore' as const, log.fd, log.fd]
    const child = spawn(dataFolder.binaries.postgres, options, {
      ...dataFolder.account,
      cwd: '/',
      detached: true,
      env: ENVIRONMENT,
      stdio,
    })
    child.unref()
    child.on('error', () => undefined)
    return child
  } finally {
    await log.close()
  }
}

/** Undefined when it is gone, or does not answer in time. */
async function untilReady(
  dataFolder: DataFolder,
  log: Log,
  { child, signal }: { child?: ChildProcess; signal?: AbortSignal | undefined },
): Promise<Postmaster | undefined> {
  const begun = performance.now()
  let lastSignAt = begun
  let isLogged = false
  while (performance.now() - begun < RECOVERY_MS && performance.now() - lastSignAt < SILENCE_MS) {
    if (signal?.aborted) return undefined
    const postmaster = await findPostmaster(dataFolder)
    const answer = postmaster?.socketFolder ? await ping(dataFolder, postmaster) : 'silent'
    if (answer === 'ready') return postmaster
    if (!postmaster && !(child && isRunning(child))) return undefined
    if (answer === 'busy' || postmaster?.status !== 'ready') lastSignAt = performance.now()
    if (!isLogged && performance.now() - begun > SILENCE_MS)
      log.info({}, 'waiting for PostgreSQL to finish its recovery')
    isLogged ||= performance.now() - begun > SILENCE_MS
    await delay(POLL_MS)
  }
  return undefined
}

/** Stops it in order. PostgreSQL may not have written yet the files by which it is found. */
async function endChild(child: ChildProcess): Promise<void> {
  child.kill('SIGINT')
  while (isRunning(child)) await delay(POLL_MS)
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}
