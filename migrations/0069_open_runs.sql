-- Runs that are neither completed nor ended: few of all, and what results count as open.
create index content_sessions_running on content_sessions (environment_id, content_id)
  where ended_at is null and completed_at is null;
