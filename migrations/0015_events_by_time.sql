-- What events are read by: their time, alone and of one user, group or name, and of one name of a user or a group. What each
-- index costs an insert, and what it saves a page, is in docs/decisions/055-events-table.md. The order of created_at is that
-- of the id.

-- As the caller wrote it, where that is not what the instant is written like.
alter table events add column time_text text collate "C";

create index events_by_time on events (environment_id, time, id);

create index events_of_user_by_time on events (environment_id, user_id, time, id) where user_id is not null;

create index events_of_group_by_time on events (environment_id, group_id, time, id) where group_id is not null;

create index events_of_name_by_time on events (environment_id, name, time, id);

create index events_of_user_by_name on events (environment_id, user_id, name, time, id) where user_id is not null;

create index events_of_group_by_name on events (environment_id, group_id, name, time, id) where group_id is not null;
