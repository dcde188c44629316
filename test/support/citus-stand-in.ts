import type pg from 'pg'
import { Database } from '../../server/database/database.ts'
import type { TestDatabase } from './database.ts'

/** The workers of the stand-in: environments with an odd id are on the first, the others on the second. */
export const [ODD_WORKER, EVEN_WORKER] = ['10.0.0.1:5432', '10.0.0.2:5432']

const OVER_ALL_WORKERS = /\b(webhook_deliveries|webhook_endpoints|content|guidance|pending_deletions)\b/

/** What the coordinator of Citus knows about its cluster, as far as our statements ask for it. */
const CATALOG = `
  create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text, answers boolean);
  insert into pg_dist_node values (1, '10.0.0.1', 5432, 'primary', true), (2, '10.0.0.2', 5432, 'primary', true);
  create table pg_dist_placement (shardid bigint, groupid int);
  insert into pg_dist_placement values (101, 1), (102, 2);
  create table pg_dist_partition (logicalrelid regclass);
  insert into pg_dist_partition values ('users');
  create table pg_dist_shard (logicalrelid regclass, shardid bigint);
  insert into pg_dist_shard values ('users', 101), ('users', 102);
  create function get_shard_id_for_distribution_column(regclass, id int) returns bigint language sql
    return case when id % 2 = 1 then 101 else 102 end;
  create function citus_shard_sizes() returns table (shard_id bigint, size bigint) language sql
    as 'select shardid, 1000 from pg_dist_placement natural join pg_dist_node where answers';
  create function run_command_on_workers(text)
    returns table (nodename text, nodeport int, success boolean, result text) language sql
    as 'select nodename, nodeport, answers, case when answers then ''1'' end from pg_dist_node'`

/** A database that says it is a cluster, and whose statements about the second worker can fail. */
export class CitusStandIn extends Database {
  #isDown = false

  static async open({ connection }: Pick<TestDatabase, 'connection'>): Promise<CitusStandIn> {
    const limits = { connections: 4, statementTimeoutMs: 20_000, lockTimeoutMs: 5_000 }
    const database = new CitusStandIn({ connection, ...limits, isDistributed: true })
    for (const statement of CATALOG.split(';\n')) await database.queryUnprepared(statement, [])
    return database
  }

  async stopEvenWorker(): Promise<void> {
    await super.query("update pg_dist_node set answers = false where nodename = '10.0.0.2'", [])
    this.#isDown = true
  }

  override async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    this.#refuse(text)
    return await super.query<Row>(text, values)
  }

  override async queryUnprepared<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    this.#refuse(text)
    return await super.queryUnprepared<Row>(text, values)
  }

  /** As the coordinator does for a statement that needs a shard of the worker. */
  #refuse(text: string): void {
    if (!this.#isDown || !OVER_ALL_WORKERS.test(text)) return
    const scopes = [...text.matchAll(/environment_id = any\('\{([\d,]+)\}'::int\[\]\)/g)]
    const ids = scopes.flatMap(([, list]) => (list as string).split(',').map(Number))
    if (ids.length === 0 || ids.some((id) => id % 2 === 0))
      throw Object.assign(new Error(`connection to ${EVEN_WORKER} failed`), { code: 'ECONNREFUSED' })
  }
}
