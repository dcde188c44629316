import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { type Location, locateEarlier, moveTables } from './earlier-schema.ts'
import { SCHEMA } from './session.ts'

interface SchemaState {
  present: boolean
  ours: boolean
  relations: number
  mayCreate: boolean
  role: string
}

/** Where our tables are, and of which version; undefined when there are none, whatever else the database holds. */
export async function locateTables(client: pg.ClientBase): Promise<Location | undefined> {
  if (!(await readState(client)).ours) return await locateEarlier(client)
  const { rows } = await client.query<{ version: number | null }>(
    `select max(version) as version from ${SCHEMA}.schema_migrations`,
  )
  return { schema: SCHEMA, version: rows[0]?.version ?? 0 }
}

/**
 * Creates our schema when it is missing, and moves the tables of an earlier version into it. Tables of
 * other applications stay where they are, whatever their names.
 */
export async function ensureSchema(client: pg.ClientBase): Promise<void> {
  const state = await readState(client)
  if (state.ours) return
  refuseUnusable(state)
  const earlier = await locateEarlier(client)
  if (!state.present) await client.query(`create schema ${SCHEMA}`)
  if (earlier) await moveTables(client, earlier)
}

function refuseUnusable({ present, relations, mayCreate, role }: SchemaState): void {
  if (relations > 0)
    throw new StartupError(
      `The database has a schema "${SCHEMA}" that was not made by Usher: rename that schema, or use another database.`,
    )
  if (!present && !mayCreate)
    throw new StartupError(
      `The user of DATABASE_URL may not create a schema: run "create schema ${SCHEMA} authorization ${role}" in that database as its owner.`,
    )
}

async function readState(client: pg.ClientBase): Promise<SchemaState> {
  const { rows } = await client.query<SchemaState>(
    `select to_regnamespace('${SCHEMA}') is not null as present,
            to_regclass('${SCHEMA}.schema_migrations') is not null as ours,
            (select count(*)::int from pg_class where relnamespace = to_regnamespace('${SCHEMA}')::oid) as relations,
            has_database_privilege(current_database(), 'create') as "mayCreate",
            quote_ident(current_user) as role`,
  )
  return rows[0] as SchemaState
}
