import pg from 'pg'
import { expect } from 'vitest'
import { borrowEmbedded } from '../../server/database/embedded/index.ts'
import { silent } from './log.ts'

/**
 * Compares the acknowledged writes of a server with its database. A write without an answer, or with the answer "not
 * known", may or may not be stored. An answered write must be stored as the answer says.
 */
export class Ledger {
  readonly users = new Set<string>()
  readonly deleted = new Set<string>()
  /** By the mark that the caller gave them, since only an answer tells their id. */
  readonly events = new Map<string, string>()
  readonly refusedEvents = new Set<string>()
  added = 0
  /** Writes of all kinds. */
  acknowledged = 0
  unknownAdds = 0
  /** How many answers had each status; 0 is a connection that broke. */
  readonly statuses: Record<number, number> = {}
  /** What no answer may be: a 500, an answer without the envelope, one that shows internals, one after 20 s. */
  readonly wrong: string[] = []

  /** Of a server that has ended, by the database that it left. */
  async auditFolder(dataDir: string): Promise<void> {
    const embedded = await borrowEmbedded(dataDir, silent)
    await this.audit(embedded.connection).finally(() => embedded.stop())
  }

  async audit(connection: pg.ClientConfig): Promise<void> {
    expect(this.wrong.splice(0)).toEqual([])
    const client = new pg.Client(connection)
    await client.connect()
    await this.#auditAll(client).finally(() => client.end())
  }

  async #auditAll(client: pg.Client): Promise<void> {
    const missing = await this.#absent(
      client,
      [...this.users].filter((id) => !this.deleted.has(id)),
    )
    expect(missing, 'users that were acknowledged').toEqual([])
    const deleted = [...this.deleted]
    expect(await this.#absent(client, deleted), 'users whose deletion was acknowledged').toEqual(deleted)
    await this.#auditEvents(client)
    await this.#auditCounter(client)
    const { rows: half } = await client.query(
      `select id from users
        where id <> 'counter'
          and not exists (
            select from group_memberships where environment_id = users.environment_id and user_id = users.id)`,
    )
    expect(half, 'users that were stored without their group').toEqual([])
  }

  async #absent(client: pg.Client, ids: string[]): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>('select id from users where id = any($1::text[])', [ids])
    const found = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !found.has(id))
  }

  async #auditEvents(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string; mark: string }>(
      "select id, attributes ->> 'mark' as mark from events where attributes ? 'mark'",
    )
    const stored = new Map(rows.map(({ id, mark }) => [mark, id]))
    expect(stored.size, 'events, each of them once').toBe(rows.length)
    const lost = [...this.events].filter(([mark, id]) => stored.get(mark) !== id)
    expect(lost, 'events that were acknowledged').toEqual([])
    expect(
      [...this.refusedEvents].filter((mark) => stored.has(mark)),
      'events that were refused',
    ).toEqual([])
  }

  async #auditCounter(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ n: number }>(
      "select (attributes ->> 'n')::int as n from users where id = 'counter'",
    )
    const counted = rows[0]?.n ?? 0
    expect(counted, 'additions').toBeGreaterThanOrEqual(this.added)
    expect(counted, 'additions').toBeLessThanOrEqual(this.added + this.unknownAdds)
  }
}
