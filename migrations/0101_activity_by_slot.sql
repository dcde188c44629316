-- Every report of a page changes the time of activity. With that time in an index, PostgreSQL writes all indexes of the table
-- at each report. Its ten minutes mostly stay the same: then it writes none of them.
drop index content_sessions_by_activity;

drop index content_sessions_of_content_by_activity;

-- Room for the next version of a row on its own page.
alter table content_sessions set (fillfactor = 70);

alter table content_sessions add column activity_slot timestamptz
  generated always as (date_bin('10 minutes', last_activity_at, timestamptz '2000-01-01 00:00:00+00')) stored;

create index content_sessions_by_activity_slot on content_sessions (environment_id, activity_slot, content_id);
