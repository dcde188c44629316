/**
 * What a backup holds, in the order in which it can be read back: a table after those that it refers to.
 * A test compares it with the schema.
 */
export const backedUpTables = [
  'accounts',
  'environments',
  'api_keys',
  'control_revision',
  'members',
  'audit_entries',
  'users',
  'groups',
  'group_memberships',
  'events',
  'pending_deletions',
  'attribute_definitions',
  'attribute_conflicts',
  'event_definitions',
  'event_attribute_uses',
  'webhook_subscriptions',
  'webhook_notifications',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_endpoints',
  'webhook_endpoint_hours',
  'webhook_replays',
  'counts',
  'request_errors',
  'environment_totals',
  'imports',
] as const

/**
 * Not in a backup: tables that the server fills again, and sessions and links, which an old backup must not make valid
 * again.
 */
export const leftOutTables = [
  'schema_migrations',
  'rate_limits',
  'idempotency_keys',
  'commit_markers',
  'environment_anchors',
  'sign_in_attempts',
  'nodes',
  'member_sessions',
  'member_links',
] as const
