-- When each name was seen last, how many events each name has had, and which values were of another type than their
-- definition. Counted in memory and added every few seconds (server/definitions/usage.ts).

alter table event_definitions add column last_seen_at timestamptz(3), add column event_count bigint not null default 0;

alter table attribute_definitions add column last_seen_at timestamptz(3);

update event_definitions as definition
   set event_count = counted.count, last_seen_at = counted.last_at
  from (select environment_id, name, count(*) as count, max(created_at) as last_at from events group by environment_id, name) as counted
 where counted.environment_id = definition.environment_id and counted.name = definition.name;

-- Room in each page, so that the updates touch no index.
alter table event_definitions set (fillfactor = 70);

alter table attribute_definitions set (fillfactor = 70);

create table attribute_conflicts (
  environment_id int not null,
  scope text collate "C" not null,
  name text collate "C" not null,
  data_type text collate "C" not null,
  count bigint not null,
  example jsonb not null,
  last_seen_at timestamptz(3) not null,
  primary key (environment_id, scope, name, data_type)
) with (fillfactor = 70);
