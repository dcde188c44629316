import { pino } from 'pino'
import { startPostgres } from '../../server/database/open.ts'
import { logOptions } from '../../server/log.ts'
import { runNode } from '../../server/process/node.ts'
import { prepare } from '../../server/process/start.ts'
import { readConfig } from '../../server/settings/config.ts'
import { ownAddress } from '../../server/settings/own-address.ts'
import { TEST_KEY } from './process.ts'

/** A whole server: requests, deliveries and background work. */
export interface TestNode {
  url: string
  key: string
  /** What this start has created and would print: the settings named no key, and there was no account. */
  firstKey: string | undefined
  /** Where the first owner signs up, while there is none. */
  setUpPath: string | undefined
  /** What it has logged so far. */
  output(): string
  end(): Promise<void>
}

/**
 * Runs what `usher start` runs, without the signals, in this process: one of its own takes a second of CPU time. What kills
 * its server uses `spawnServer`.
 */
export async function startNode(settings: Record<string, string>): Promise<TestNode> {
  const config = readConfig({ PORT: '0', USHER_API_KEY: TEST_KEY, ...settings })
  let text = ''
  const write = (line: string) => {
    text += line
  }
  const log = pino(logOptions(config.logLevel), { write })
  const postgres = await startPostgres(config, log)
  try {
    const { key: firstKey, setUpPath, topology } = await prepare(config, log, postgres.connection)
    const node = await runNode(config, log, postgres.connection, topology)
    let ended: Promise<void> | undefined
    const end = async () => {
      ended ??= node.stop().then(() => postgres.stop())
      await ended
    }
    const key = firstKey ?? config.firstApiKey ?? TEST_KEY
    return { url: ownAddress(config, node.port), key, firstKey, setUpPath, output: () => text, end }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}
