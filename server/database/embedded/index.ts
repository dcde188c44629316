import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import { StartupError } from '../../startup-error.ts'
import { connectionTo, type EmbeddedConnection } from './connection.ts'
import { type DataFolder, findCluster, holdsDatabase, openDataFolder } from './data-folder.ts'
import { ensureRunning, type Running } from './launch.ts'
import { isLastUser, shareFolder, takeFolder } from './ownership.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { Supervisor } from './supervisor.ts'

export type { EmbeddedConnection } from './connection.ts'

export interface EmbeddedDatabase {
  readonly connection: EmbeddedConnection
  readonly pid: number
  /** Stops PostgreSQL in order and waits until it has ended. */
  stop(): Promise<void>
}

const TRIES = 5

type Claim = (connection: EmbeddedConnection) => Promise<Client>

/**
 * For the server: starts PostgreSQL, or adopts the one that a killed server left, and locks the folder;
 * a second server on it fails with a StartupError. When PostgreSQL dies, it is started again.
 */
export async function startEmbedded(dataDir: string, log: Log, interrupted?: AbortSignal): Promise<EmbeddedDatabase> {
  const dataFolder = await openDataFolder(dataDir, log)
  const claim: Claim = (to) => takeFolder(to, dataFolder.dataDir)
  const first = await bringUp(dataFolder, log, claim, interrupted)
  const connection = connectionTo(dataFolder, first.postmaster)
  const supervisor = new Supervisor(dataFolder, first, log, async (signal) => {
    const again = await bringUp(dataFolder, log, claim, signal)
    Object.assign(connection, connectionTo(dataFolder, again.postmaster))
    return again
  })
  let stopped: Promise<void> | undefined
  return {
    connection,
    get pid() {
      return supervisor.pid
    },
    stop: () => (stopped ??= supervisor.end(() => stopWhatRuns(dataFolder))),
  }
}

export interface BorrowOptions {
  /** Whether a folder without a database gets one. Otherwise it is refused and not changed. */
  create?: boolean
  signal?: AbortSignal
}

/** For commands: uses the running PostgreSQL, or starts one that is stopped by the last command that uses it. */
export async function borrowEmbedded(
  dataDir: string,
  log: Log,
  { create = false, signal }: BorrowOptions = {},
): Promise<EmbeddedDatabase> {
  if (!create) await refuseWithoutDatabase(dataDir)
  const dataFolder = await openDataFolder(dataDir, log)
  const { postmaster, started, client } = await bringUp(dataFolder, log, shareFolder, signal)
  const giveBack = async () => {
    const last = started && (await isLastUser(client).catch(() => false))
    if (last) await stopWhatRuns(dataFolder)
    await client.end().catch(() => undefined)
  }
  let stopped: Promise<void> | undefined
  return { connection: connectionTo(dataFolder, postmaster), pid: postmaster.pid, stop: () => (stopped ??= giveBack()) }
}

/** The PostgreSQL that runs on this folder, or undefined. Nothing is started, created, locked or stopped. */
export async function findEmbedded(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const folder = await findCluster(dataDir)
  const postmaster = folder && (await findPostmaster(folder))
  return folder && postmaster && connectionTo(folder, postmaster)
}

/** Retries when PostgreSQL ends in between: a command may be stopping the PostgreSQL that it started. */
async function bringUp(
  dataFolder: DataFolder,
  log: Log,
  claim: Claim,
  signal?: AbortSignal,
): Promise<Running & { client: Client }> {
  let started = false
  for (let triesLeft = TRIES - 1; ; triesLeft--) {
    try {
      const running = await ensureRunning(dataFolder, log, signal)
      started ||= running.started
      const client = await claim(connectionTo(dataFolder, running.postmaster))
      if (signal?.aborted) await client.end()
      signal?.throwIfAborted()
      return { ...running, started, client }
    } catch (error) {
      if (error instanceof StartupError) throw error
      if (triesLeft > 0 && !signal?.aborted) continue
      if (started) await stopWhatRuns(dataFolder)
      throw error
    }
  }
}

async function refuseWithoutDatabase(dataDir: string): Promise<void> {
  if (await holdsDatabase(dataDir)) return
  throw new StartupError(
    `There is no database in ${dataDir} (USHER_DATA_DIR): npm start makes one, or set USHER_DATA_DIR to the folder of yours.`,
  )
}

async function stopWhatRuns(dataFolder: DataFolder): Promise<void> {
  const postmaster = await findPostmaster(dataFolder)
  if (postmaster) await stopPostmaster(dataFolder, postmaster)
}
