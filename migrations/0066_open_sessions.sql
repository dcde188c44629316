-- Finds sessions without activity, however many have ended.
create index content_sessions_open_by_activity on content_sessions (environment_id, last_activity_at) where ended_at is null;
