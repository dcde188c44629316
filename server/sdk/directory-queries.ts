import type { IdentitySetting } from '../../contract/sdk/identity.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'

export interface PublicSideRow {
  token: string
  token_id: number
  /** In milliseconds. */
  ends_ms: number | null
  environment_id: EnvironmentId
  account_id: number
  plan: string
  identity: IdentitySetting
  visitor_key: string
  origins: string[]
  secret_ids: string[]
  secrets: string[]
}

/** Of live tokens of environments that exist. */
export async function findPublicSides(db: Queryable, tokens: readonly string[]): Promise<PublicSideRow[]> {
  return await db.query<PublicSideRow & Record<string, unknown>>(
    `select token, public_tokens.id as token_id,
            extract(epoch from ends_at)::float8 * 1000 as ends_ms, environments.id as environment_id, account_id, plan, identity, visitor_key,
            array(select origin from public_origins where public_origins.environment_id = environments.id) as origins,
            array(select id::text from identity_secrets where identity_secrets.environment_id = environments.id
                   order by id) as secret_ids,
            array(select secret from identity_secrets where identity_secrets.environment_id = environments.id
                   order by id) as secrets
       from public_tokens
       join environments on environments.id = public_tokens.environment_id
       join accounts on accounts.id = account_id
       join public_settings on public_settings.environment_id = environments.id
      where token = any($1::text[]) and revoked_at is null and deleted_at is null`,
    [tokens],
  )
}
