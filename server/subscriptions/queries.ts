import { beginning } from '../attributes/sort-key.ts'
import { advisoryLocks } from '../database/advisory-locks.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { columnsOf, type ListSource } from '../lists/source.ts'
import type { PreviousSecret, StoredSecrets } from './secrets.ts'

export interface SubscriptionRow {
  id: string
  api_version: string
  created_at: string
  disabled: boolean
  topics: string[]
  url: string
}

export interface NewSubscription {
  id: string
  url: string
  topics: string[]
  apiVersion: string
  disabled: boolean
  secret: string
  at: string
}

export type StoredSubscription = SubscriptionRow & StoredSecrets

/** Undefined fields are not changed. */
export interface SubscriptionFields {
  url: string | undefined
  topics: string[] | undefined
  apiVersion: string | undefined
  disabled: boolean | undefined
}

const COLUMNS = 'id, api_version, created_at, disabled, topics, url'

export const subscriptionSource: ListSource = {
  from: 'webhook_subscriptions as subscription',
  where: ['subscription.environment_id = $1::int', 'subscription.listener_until is null'],
  values: [],
  select: columnsOf('subscription', COLUMNS),
  id: 'subscription.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'subscription.created_at', type: 'timestamptz' },
    url: { expression: 'subscription.url_key', type: 'text' },
  },
  filtered: false,
}

export async function findSubscription(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db.query<SubscriptionRow>(
    `select ${COLUMNS} from webhook_subscriptions where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id],
  )
  return row
}

export async function lockSubscriptionCount(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1::int, $2::int)', [
    advisoryLocks.environmentSubscriptions,
    environmentId,
  ])
}

export async function countSubscriptions(db: Transaction, environmentId: EnvironmentId): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from webhook_subscriptions where environment_id = $1::int',
    [environmentId],
  )
  return row?.count ?? 0
}

/** Topics are passed as JSON: unnest would flatten an array of arrays. */
export async function insertSubscriptions(
  db: Transaction,
  environmentId: EnvironmentId,
  subscriptions: readonly StoredSubscription[],
): Promise<void> {
  await db.query(
    `insert into webhook_subscriptions
       (environment_id, id, url, url_key, topics, api_version, disabled, secret, created_at)
     select $1::int, id, url, url_key, array(select jsonb_array_elements_text(topics)), api_version, disabled, secret, at
       from unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::boolean[], $8::text[], $9::timestamptz[])
         as given (id, url, url_key, topics, api_version, disabled, secret, at)`,
    [
      environmentId,
      subscriptions.map(({ id }) => id),
      subscriptions.map(({ url }) => url),
      subscriptions.map(({ url }) => beginning(url)),
      subscriptions.map(({ topics }) => JSON.stringify(topics)),
      subscriptions.map(({ api_version }) => api_version),
      subscriptions.map(({ disabled }) => disabled),
      subscriptions.map(({ secret }) => secret),
      subscriptions.map(({ created_at }) => created_at),
    ],
  )
}

/** In the order in which every write takes these locks. */
export async function lockSubscriptions(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<StoredSubscription[]> {
  return await db.query<StoredSubscription>(
    `select ${COLUMNS}, secret, previous_secrets
       from webhook_subscriptions
      where environment_id = $1::int and id = any($2::uuid[])
      order by id
        for update`,
    [environmentId, ids],
  )
}

/** The row has to be locked. */
export async function updateSubscription(
  db: Transaction,
  environmentId: EnvironmentId,
  { id, url, topics, api_version, disabled, secret, previous_secrets }: StoredSubscription,
): Promise<void> {
  await db.query(
    `update webhook_subscriptions
        set url = $3::text, url_key = $4::text, topics = $5::text[], api_version = $6::text, disabled = $7::boolean,
            secret = $8::text, previous_secrets = $9::jsonb
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, url, beginning(url), topics, api_version, disabled, secret, previous_secrets],
  )
}

/** Those with a secret that is not sealed. The subscriptions of `usher listen` have none. */
export async function lockUnsealed(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<({ id: string } & StoredSecrets)[]> {
  return await db.query<{ id: string } & StoredSecrets>(
    `select id, secret, previous_secrets
       from webhook_subscriptions
      where environment_id = $1::int and listener_until is null
        and (secret not like 'sealed:%' or jsonb_path_exists(previous_secrets, '$[*] ? (!(@.secret starts with "sealed:"))'))
        for update`,
    [environmentId],
  )
}

/** Those whose secret is sealed, with whichever key. */
export async function lockSealed(
  db: Transaction,
  environmentId: EnvironmentId,
): Promise<{ id: string; url: string }[]> {
  return await db.query<{ id: string; url: string }>(
    `select id, url from webhook_subscriptions where environment_id = $1::int and secret like 'sealed:%' for update`,
    [environmentId],
  )
}

/** Stored answers that had a secret. */
export async function deleteSealedAnswers(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query(`delete from idempotency_keys where environment_id = $1::int and body like 'sealed:%'`, [
    environmentId,
  ])
}

export async function updateSecrets(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  secret: string,
  previous: readonly PreviousSecret[],
): Promise<void> {
  await db.query(
    `update webhook_subscriptions
        set secret = $3::text, previous_secrets = $4::jsonb
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, secret, JSON.stringify(previous)],
  )
}

export async function deleteSubscriptions(
  db: Transaction,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<void> {
  await db.query('delete from webhook_subscriptions where environment_id = $1::int and id = any($2::uuid[])', [
    environmentId,
    ids,
  ])
}
