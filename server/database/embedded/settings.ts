/**
 * The settings of the embedded PostgreSQL. They are passed at every start, so a newer Usher applies its own to an old data
 * folder. `fsync`, `full_page_writes` and `synchronous_commit` keep their default: on.
 */
const SETTINGS: Record<string, string> = {
  // Only a Unix socket in a private folder: no port that can be taken or reached from outside.
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  // Enough for the pools of several workers and for commands.
  max_connections: '100',
  // Enough for the hot part of millions of users; memory is taken only as it is used.
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Fewer checkpoints mean fewer full-page images under steady writes; recovery from 2 GB still takes well under a minute.
  max_wal_size: '2GB',
  min_wal_size: '128MB',
  checkpoint_timeout: '10min',
  // The build has pglz alone. It halves full-page images, and takes seven times the CPU of an insert that makes some.
  wal_compression: 'off',
  // Filling a new segment of the log with zeros makes all writers wait: docs/decisions/228-new-segments-without-zeros.md.
  wal_init_zero: 'off',
  // Solid-state storage: an index scan is nearly as cheap per page as a sequential one.
  random_page_cost: '1.1',
  effective_io_concurrency: '64',
  // All statements are short; compiling one takes longer than running it.
  jit: 'off',
  // The delivery queue needs frequent vacuuming.
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  // The locks of a killed server are released at once, even while one of its statements is running.
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The detail of an error quotes values of the row, which can be personal data: it stays out of the log.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

export function settingArguments(): string[] {
  return Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
