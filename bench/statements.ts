import type pg from 'pg'
import { withClient } from './address.ts'
import type { BenchPostgres } from './postgres.ts'

/** How many statements a database has run, by pg_stat_statements. */

/**
 * Starts counting. Returns a function that reads the count, or undefined where pg_stat_statements is missing. The settings
 * of a given server are not changed.
 */
export async function countStatements(
  { admin, isEmbedded }: BenchPostgres,
  url: string,
): Promise<(() => Promise<number>) | undefined> {
  const { rows } = await admin.query<{ libraries: string }>(
    "select current_setting('shared_preload_libraries') as libraries",
  )
  if (!rows[0]?.libraries.includes('pg_stat_statements')) return undefined
  await withClient({ connectionString: url }, (client) => client.query('create extension pg_stat_statements'))
  if (isEmbedded) await track(admin, 'top')
  return async () => await withClient({ connectionString: url }, countedStatements)
}

export async function stopCounting({ admin, isEmbedded }: BenchPostgres): Promise<void> {
  if (isEmbedded) await track(admin, 'none')
}

async function track(admin: pg.Client, which: 'top' | 'none'): Promise<void> {
  await admin.query(`alter system set pg_stat_statements.track = '${which}'`)
  await admin.query('select pg_reload_conf()')
}

async function countedStatements(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ calls: string | null }>(
    `select sum(calls) as calls from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`,
  )
  return Number(rows[0]?.calls ?? 0)
}
