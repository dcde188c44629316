-- Results of guided flows: the runs that are over, summed, so that a page over many of them reads few rows.

-- The keys of the steps that a run has shown, in the order in which each was seen first.
alter table content_sessions add column steps jsonb not null default '[]';

-- Runs in the order in which they were over: completed, or ended without. Neither changes afterwards.
create index content_sessions_finished on content_sessions (environment_id, (coalesce(completed_at, ended_at)))
  where coalesce(completed_at, ended_at) is not null;

create index content_states_missing on content_states (environment_id, content_id, missing_at) where missing_at is not null;

-- Runs by the day (UTC) on which they began. reason: completed, why they ended, or seen: then step was shown to so many.
-- Else step is the last one. bucket is that of the duration of completed runs (server/results/buckets.ts), else 0.
create table content_days (
  environment_id int not null,
  content_id uuid not null,
  version_id uuid not null,
  day date not null,
  step text collate "C" not null,
  reason text collate "C" not null,
  bucket int not null,
  runs int not null,
  primary key (environment_id, content_id, version_id, day, step, reason, bucket)
);

-- Up to when the runs of an environment are summed.
create table content_sums (
  environment_id int primary key,
  summed_until timestamptz not null
);
