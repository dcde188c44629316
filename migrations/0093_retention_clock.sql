-- The time that old data is deleted by, and when the clock was last looked at: a clock that was set far ahead does not make
-- everything old at once (server/database/retention-clock.ts). One row.
create table retention_clock (
  is_only boolean primary key default true,
  at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);
