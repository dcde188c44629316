import pg from 'pg'

/** The schema of all our tables. The database may also have tables of other applications. */
export const SCHEMA = 'usher'

export type SessionSettings = Readonly<Record<string, string>>

export interface SessionOptions extends pg.ClientConfig {
  /** Settings of PostgreSQL for this session, in addition to those of every session. */
  settings?: SessionSettings | undefined
}

const EVERY_SESSION: SessionSettings = { search_path: SCHEMA, timezone: 'UTC' }

/**
 * A connection to PostgreSQL that has our settings before its first statement. They are set by a statement, not by the
 * start-up parameter `options`: PgBouncer refuses or drops that parameter, and `options` in DATABASE_URL replaces it.
 */
export class Session extends pg.Client {
  readonly #setUp: pg.QueryConfig

  constructor(options: SessionOptions) {
    super(options)
    this.#setUp = setAll({ ...EVERY_SESSION, ...options.settings })
    // A connection that breaks fails the statements on it; without a listener this event would end the process.
    this.on('error', () => {})
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const ready = this.#open()
    if (!callback) return ready
    ready.then(() => callback(null as never), callback)
    return undefined
  }

  /** Closes the connection at once. `end` waits for the statements that are sent. */
  destroy(why: string): void {
    const { connection } = this as unknown as { connection: { stream: { destroy(error: Error): void } } }
    connection.stream.destroy(new Error(why))
  }

  async #open(): Promise<this> {
    await super.connect()
    try {
      await this.query(this.#setUp)
      return this
    } catch (error) {
      await this.end().catch(() => {})
      throw error
    }
  }
}

/** Opens a connection for what is done once: migrations, backups, checks. */
export async function openSession(connection: pg.ClientConfig, settings?: SessionSettings): Promise<Session> {
  const session = new Session({ connectionTimeoutMillis: 10_000, ...connection, settings })
  await session.connect()
  return session
}

function setAll(settings: SessionSettings): pg.QueryConfig {
  const calls = Object.keys(settings).map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`)
  return { text: `select ${calls.join(', ')}`, values: Object.entries(settings).flat() }
}
