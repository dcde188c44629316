-- The figures of the dashboard. They are counted in memory as requests arrive and added here every few seconds, so that no
-- figure counts or scans a table.

-- kind: request (name is the status and the code), event, event_name, attribute_user,
-- attribute_group, attribute_event, user and group (created).
-- step: minute is kept for 2 days, hour for 40, day for 400.
create table counts (
  environment_id int not null,
  kind text collate "C" not null,
  step text collate "C" not null,
  at timestamptz(0) not null,
  name text collate "C" not null,
  count bigint not null,
  last_at timestamptz(3) not null,
  primary key (environment_id, kind, step, at, name)
) with (fillfactor = 70);

-- One name over time: the bars of a definition.
create index counts_by_name on counts (environment_id, kind, name, at) where step = 'day' and name <> '';

-- Refused requests by reason and key, per hour, with the latest example. key_id is 0 when there was no key.
create table request_errors (
  environment_id int not null,
  hour timestamptz(0) not null,
  status int not null,
  code text collate "C" not null,
  field text collate "C" not null,
  key_id int not null,
  count bigint not null,
  last_at timestamptz(3) not null,
  last_request_id text not null,
  message text not null,
  primary key (environment_id, hour, status, code, field, key_id)
) with (fillfactor = 70);

-- How many users and groups there are, and when the last request came.
create table environment_totals (
  environment_id int primary key,
  users bigint not null,
  groups bigint not null,
  last_request_at timestamptz(3)
) with (fillfactor = 50);

insert into environment_totals (environment_id, users, groups)
select id,
       (select count(*) from users where environment_id = environments.id),
       (select count(*) from groups where environment_id = environments.id)
  from environments;
