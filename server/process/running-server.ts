import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../is-running.ts'
import type { Config } from '../settings/config.ts'
import { ownAddress } from '../settings/own-address.ts'

/** What a running server leaves in its data folder for commands: the settings of a command may name another port, or none. */
interface RunningServer {
  address: string
  pid: number
}

type Folder = Pick<Config, 'dataDir'>

/** A folder that cannot be written leaves commands with their own settings. */
export function recordAddress(folder: Folder, address: string): void {
  const server: RunningServer = { address, pid: process.pid }
  try {
    mkdirSync(folder.dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(fileOf(folder), `${JSON.stringify(server)}\n`, { mode: 0o600 })
  } catch {}
}

/** Another server of this folder may have started meanwhile: its record stays. */
export function forgetAddress(folder: Folder): void {
  try {
    if (read(folder)?.pid === process.pid) rmSync(fileOf(folder), { force: true })
  } catch {}
}

/** Where the server of this data folder is reached: as it says itself while it runs, otherwise as the settings say. */
export function serverAddress(config: Config): string {
  const server = config.baseUrl === undefined ? read(config) : undefined
  // A server that was killed has not removed its record.
  return server && isRunning(server.pid) ? server.address : ownAddress(config)
}

function fileOf({ dataDir }: Folder): string {
  return join(dataDir, 'server.json')
}

function read(folder: Folder): RunningServer | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as RunningServer
  } catch {
    return undefined
  }
}
