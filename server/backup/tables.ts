/**
 * What a backup holds, in the order in which it can be read back: a table after those that it refers to.
 * A test holds it against the schema.
 */
export const backedUpTables = [
  'accounts',
  'environments',
  'api_keys',
  'control_revision',
  'users',
  'groups',
  'group_memberships',
  'events',
  'attribute_definitions',
  'event_definitions',
  'event_attribute_uses',
  'webhook_subscriptions',
  'webhook_notifications',
  'webhook_deliveries',
  'webhook_attempts',
] as const

/** Made anew by the server itself. */
export const leftOutTables = ['schema_migrations', 'rate_limits'] as const
