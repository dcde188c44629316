import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../test/support/folder.ts'
import type { Options } from './options.ts'
import { BenchPostgres } from './postgres.ts'
import { peakMegabytes } from './proc.ts'
import { Child } from './processes/child.ts'
import type { LoadAnswer, LoadQuestion } from './processes/load.ts'
import { seed } from './seed.ts'
import { UsherServer } from './server.ts'
import { GROUPS } from './traffic.ts'

/** A server on its own database. */
export interface Site {
  server: UsherServer
  database: string
}

export const USERS = 10_000

/** The resources of the rows. Each row gets new databases, servers and yardsticks, so that rows do not affect each other. */
export class Bench {
  readonly options: Options
  readonly folder: string
  readonly postgres: BenchPostgres
  readonly load: Child<LoadQuestion, LoadAnswer>
  /** Measures latencies. Another generator may make the load. */
  readonly clock: Child<LoadQuestion, LoadAnswer>
  readonly progress: (text: string) => void
  #template: Promise<string> | undefined
  #peakMegabytes = 0
  #closed: Promise<void> | undefined
  readonly #cleanups: (() => Promise<unknown>)[] = []

  private constructor(options: Options, folder: string, postgres: BenchPostgres, progress: (text: string) => void) {
    this.options = options
    this.folder = folder
    this.postgres = postgres
    this.progress = progress
    this.clock = new Child(new URL('./processes/node.ts', import.meta.url))
    this.load =
      options.generator === 'node'
        ? this.clock
        : new Child(new URL(`./processes/${options.generator}.ts`, import.meta.url))
  }

  static async open(options: Options, progress: (text: string) => void): Promise<Bench> {
    const folder = await temporaryFolder(options.folder)
    const { databaseUrl } = options
    const postgres = databaseUrl
      ? await BenchPostgres.at(databaseUrl)
      : await BenchPostgres.embedded(join(folder, 'postgres'))
    return new Bench(options, folder, postgres, progress)
  }

  /** 10,000 users, 1,000 groups, three memberships each; made once and copied for each row. */
  async template(): Promise<string> {
    this.#template ??= this.postgres.createDatabase().then(async (url) => {
      this.progress('filling a database')
      await seed(url, USERS, GROUPS)
      return url
    })
    return await this.#template
  }

  async site(environment: Record<string, string> = {}): Promise<Site> {
    const database = await this.postgres.createDatabase(await this.template())
    this.atEnd(() => this.postgres.dropDatabase(database))
    return await this.siteOn(database, environment)
  }

  async siteOn(database: string, environment: Record<string, string> = {}): Promise<Site> {
    const server = await UsherServer.start({
      environment: { DATABASE_URL: database, ...environment },
      profile: this.options.profile,
    })
    this.atEnd(async () => {
      this.#peakMegabytes = Math.max(this.#peakMegabytes, peakMegabytes(server.pid))
      await server.stop()
    })
    return { server, database }
  }

  child<Question, Answer>(name: string): Child<Question, Answer> {
    const child = new Child<Question, Answer>(new URL(`./processes/${name}.ts`, import.meta.url))
    this.atEnd(() => child.stop())
    return child
  }

  atEnd(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup)
  }

  /** Ends what the row had started; returns the most memory that one of its servers had. */
  async endRow(): Promise<number> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup()
    const peak = this.#peakMegabytes
    this.#peakMegabytes = 0
    return peak
  }

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  /** Also in the middle of a row, after an interrupt. */
  async close(): Promise<void> {
    this.#closed ??= this.#close()
    await this.#closed
  }

  async #close(): Promise<void> {
    await this.endRow()
    await this.load.stop()
    await this.clock.stop()
    await this.postgres.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
