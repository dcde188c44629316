/**
 * What the deletion of a user or a group does with the rows about it.
 *
 * - `none`: there are no such rows.
 * - `object`: the row is the user or the group itself.
 * - `steps`: the first rows go in the deletion, the others by the remover (server/deletions/remove-step.ts).
 * - `notification`: a row goes with the notification that it belongs to.
 * - `session`: a row goes with the session that it belongs to.
 * - `emptied`: the rows stay, and lose what they quote (server/deletions/refused-lines.ts).
 * - `expires`: a row is kept for a short time only.
 * - `nameless`: a row has nothing that was sent but the names of fields.
 * - `kept`: the rows stay.
 * - an object names the columns with the id of the user and of the group: these rows go in the transaction of the deletion
 *   (server/deletions/erase.ts), so there are few of them, and an index finds them.
 */
export type ErasureRule =
  | 'none'
  | 'object'
  | 'steps'
  | 'notification'
  | 'session'
  | 'emptied'
  | 'expires'
  | 'nameless'
  | 'kept'
  | { readonly user?: string | readonly string[]; readonly group?: string | readonly string[] }

export interface TableRules {
  /** The folder of `server/` that writes it. */
  owner: string
  /** The column that says whose a row is; null when it is neither of an environment nor of an account. */
  key: 'environment_id' | 'account_id' | null
  /** Where a sharded PostgreSQL (Citus) has a row: on the worker of its environment, or on the coordinator. */
  place: 'worker' | 'coordinator'
  /**
   * Whether a backup has it. The server fills a `refilled` table again; an old backup must not make the rows of a `revoked`
   * one valid again.
   */
  backup: 'kept' | 'refilled' | 'revoked'
  erasure: ErasureRule
  /** Whether its rows are in the files of `usher export`. */
  isExported?: true
}

const ofAll = { key: null, place: 'coordinator' } as const
const ofAccount = { key: 'account_id', place: 'coordinator' } as const
const ofEnvironment = { key: 'environment_id', place: 'worker' } as const

/**
 * Every table of the schema, a table after those that it refers to. Backup, restore, distribution, the sweep of deleted
 * environments, deletions and exports go by this list. A test compares it with the schema.
 */
export const tables = {
  schema_migrations: { owner: 'database', ...ofAll, backup: 'refilled', erasure: 'none' },
  accounts: { owner: 'accounts', ...ofAll, backup: 'kept', erasure: 'none' },
  environments: { owner: 'accounts', ...ofAccount, backup: 'kept', erasure: 'none' },
  // On the coordinator: it is looked up before its environment is known.
  api_keys: { owner: 'accounts', key: 'environment_id', place: 'coordinator', backup: 'kept', erasure: 'none' },
  public_tokens: { owner: 'sdk', key: 'environment_id', place: 'coordinator', backup: 'kept', erasure: 'none' },
  public_origins: { owner: 'sdk', key: 'environment_id', place: 'coordinator', backup: 'kept', erasure: 'none' },
  public_settings: { owner: 'sdk', key: 'environment_id', place: 'coordinator', backup: 'kept', erasure: 'none' },
  identity_secrets: { owner: 'sdk', key: 'environment_id', place: 'coordinator', backup: 'kept', erasure: 'none' },
  control_revision: { owner: 'accounts', ...ofAll, backup: 'kept', erasure: 'none' },
  secret_keys: { owner: 'secrets', ...ofAll, backup: 'kept', erasure: 'none' },
  rate_limits: { owner: 'limits', ...ofAccount, backup: 'refilled', erasure: 'none' },
  // A restored copy decides anew.
  delivery_pause: { owner: 'webhooks', ...ofAll, backup: 'refilled', erasure: 'none' },
  retention_clock: { owner: 'database', ...ofAll, backup: 'refilled', erasure: 'none' },
  nodes: { owner: 'housekeeping', ...ofAll, backup: 'refilled', erasure: 'none' },
  members: { owner: 'members', ...ofAccount, backup: 'kept', erasure: 'none' },
  member_sessions: { owner: 'members', ...ofAll, backup: 'revoked', erasure: 'none' },
  member_browsers: { owner: 'members', ...ofAll, backup: 'revoked', erasure: 'none' },
  member_links: { owner: 'members', ...ofAccount, backup: 'revoked', erasure: 'none' },
  sign_in_attempts: { owner: 'members', ...ofAll, backup: 'refilled', erasure: 'none' },
  audit_entries: { owner: 'audit', ...ofAccount, backup: 'kept', erasure: 'kept' },
  // The first one on the workers: the others are colocated with it.
  users: { owner: 'objects', ...ofEnvironment, backup: 'kept', erasure: 'object', isExported: true },
  groups: { owner: 'objects', ...ofEnvironment, backup: 'kept', erasure: 'object', isExported: true },
  group_memberships: { owner: 'memberships', ...ofEnvironment, backup: 'kept', erasure: 'steps', isExported: true },
  events: { owner: 'writes', ...ofEnvironment, backup: 'kept', erasure: 'steps', isExported: true },
  audit_values: {
    owner: 'audit',
    ...ofEnvironment,
    backup: 'kept',
    erasure: { user: 'user_id', group: 'group_id' },
  },
  pending_deletions: { owner: 'deletions', ...ofEnvironment, backup: 'kept', erasure: 'expires' },
  attribute_definitions: { owner: 'definitions', ...ofEnvironment, backup: 'kept', erasure: 'none', isExported: true },
  attribute_conflicts: {
    owner: 'definitions',
    ...ofEnvironment,
    backup: 'kept',
    erasure: { user: 'object_id', group: ['object_id', 'group_id'] },
  },
  event_definitions: { owner: 'definitions', ...ofEnvironment, backup: 'kept', erasure: 'none', isExported: true },
  event_attribute_uses: { owner: 'definitions', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  webhook_subscriptions: { owner: 'webhooks', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  webhook_notifications: { owner: 'outbox', ...ofEnvironment, backup: 'kept', erasure: 'steps' },
  webhook_deliveries: { owner: 'outbox', ...ofEnvironment, backup: 'kept', erasure: 'notification' },
  webhook_attempts: { owner: 'webhooks', ...ofEnvironment, backup: 'kept', erasure: 'notification' },
  webhook_endpoints: { owner: 'webhooks', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  webhook_endpoint_hours: { owner: 'webhooks', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  webhook_replays: { owner: 'webhooks', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  // A sample of bounded size, of two days.
  identified_users: { owner: 'identifications', ...ofEnvironment, backup: 'refilled', erasure: { user: 'user_id' } },
  last_identifications: {
    owner: 'identifications',
    ...ofEnvironment,
    backup: 'refilled',
    erasure: { user: 'user_id' },
  },
  counts: { owner: 'counters', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  request_errors: { owner: 'counters', ...ofEnvironment, backup: 'kept', erasure: 'nameless' },
  environment_totals: { owner: 'counters', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  imports: { owner: 'transfer', ...ofEnvironment, backup: 'kept', erasure: 'emptied' },
  idempotency_keys: { owner: 'idempotency', ...ofEnvironment, backup: 'refilled', erasure: 'steps' },
  segments: { owner: 'segments', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  segment_uses: { owner: 'segments', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  guidance: { owner: 'content', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  content: { owner: 'content', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  content_versions: { owner: 'content', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  themes: { owner: 'content', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  edit_sessions: { owner: 'in-place', ...ofEnvironment, backup: 'revoked', erasure: { user: 'user_id' } },
  edit_proposals: { owner: 'in-place', ...ofEnvironment, backup: 'refilled', erasure: 'none' },
  content_claims: {
    owner: 'history',
    ...ofEnvironment,
    backup: 'refilled',
    // A page whose claim is gone claims its session again.
    erasure: { user: 'user_id', group: 'group_id' },
  },
  // The sessions of a group's users stay; they lose the group.
  content_sessions: { owner: 'history', ...ofEnvironment, backup: 'kept', erasure: 'steps' },
  content_states: { owner: 'history', ...ofEnvironment, backup: 'kept', erasure: { user: 'user_id' } },
  content_answers: { owner: 'history', ...ofEnvironment, backup: 'kept', erasure: 'session' },
  deleted_content: { owner: 'history', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  // Numbers without ids: they stay when a user is deleted.
  content_days: { owner: 'results', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  content_answer_days: { owner: 'results', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  content_sums: { owner: 'results', ...ofEnvironment, backup: 'kept', erasure: 'none' },
  environment_anchors: { owner: 'database', ...ofEnvironment, backup: 'refilled', erasure: 'none' },
  commit_markers: { owner: 'database', ...ofEnvironment, backup: 'refilled', erasure: 'none' },
} as const satisfies Record<string, TableRules>

export type TableName = keyof typeof tables

/** The names of the tables with this rule. */
type NamesWith<Rule> = { [Name in TableName]: (typeof tables)[Name] extends Rule ? Name : never }[TableName]

function namesWith<Rule extends Partial<TableRules>>(rule: Rule): readonly NamesWith<Rule>[] {
  const wanted = Object.entries(rule)
  const has = (rules: TableRules) => wanted.every(([name, value]) => rules[name as keyof TableRules] === value)
  return tableNames.filter((name): name is NamesWith<Rule> => has(tables[name]))
}

/** In the order in which they can be created and filled. */
export const tableNames = Object.keys(tables) as TableName[]

/**
 * Those that a sharded PostgreSQL distributes, all by `environment_id` and colocated, so that a transaction of one
 * environment is on one worker.
 */
export const distributedTables = namesWith({ place: 'worker' } as const)
export type DistributedTable = (typeof distributedTables)[number]

export const backedUpTables = namesWith({ backup: 'kept' } as const)

/** Every table with rows of an environment, in the order in which its rows can be deleted. */
export const environmentTables = namesWith({ key: 'environment_id' } as const).toReversed()

export type ExportedTable = NamesWith<{ isExported: true }>
/** Those whose rows about a deleted user or group go in steps. */
export type SteppedTable = NamesWith<{ erasure: 'steps' }>
