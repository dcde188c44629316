-- Users, groups, memberships, events and definitions. Every key and index begins with environment_id.
--
-- The *_key columns hold what lists sort and filter by, made by the server (server/attributes/sort-key.ts). They are
-- columns and not expression indexes over `attributes`, because PostgreSQL cannot do a HOT update when a column that
-- any index reads has changed: with them, an update that leaves name, email and the two times alone touches no index.

create table users (
  environment_id int not null,
  id text collate "C" not null,
  attributes jsonb not null,
  created_at timestamptz(3) not null,
  name_key text collate "C" not null,
  signed_up_at_key text collate "C" not null,
  last_seen_at_key text collate "C" not null,
  email_key text collate "C",
  primary key (environment_id, id)
) with (fillfactor = 80);

create index users_by_created_at on users (environment_id, created_at, id);
create index users_by_name on users (environment_id, name_key, id);
create index users_by_signed_up_at on users (environment_id, signed_up_at_key, id);
create index users_by_last_seen_at on users (environment_id, last_seen_at_key, id);
create index users_by_email on users (environment_id, email_key, created_at, id) where email_key is not null;

create table groups (
  environment_id int not null,
  id text collate "C" not null,
  attributes jsonb not null,
  created_at timestamptz(3) not null,
  name_key text collate "C" not null,
  primary key (environment_id, id)
) with (fillfactor = 80);

create index groups_by_created_at on groups (environment_id, created_at, id);
create index groups_by_name on groups (environment_id, name_key, id);

-- The creation times of both ends never change while they exist, so they are kept here too: the members of a group
-- (and the groups of a user) are read in the order of a list straight from an index.
create table group_memberships (
  environment_id int not null,
  user_id text collate "C" not null,
  group_id text collate "C" not null,
  id uuid not null,
  attributes jsonb not null,
  created_at timestamptz(3) not null,
  user_created_at timestamptz(3) not null,
  group_created_at timestamptz(3) not null,
  primary key (environment_id, user_id, group_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade,
  foreign key (environment_id, group_id) references groups (environment_id, id) on delete cascade
) with (fillfactor = 90);

create index group_memberships_of_group on group_memberships (environment_id, group_id, user_created_at, user_id);
create index group_memberships_of_user on group_memberships (environment_id, user_id, group_created_at, group_id);

create table events (
  environment_id int not null,
  id uuid not null,
  name text collate "C" not null,
  user_id text collate "C",
  group_id text collate "C",
  attributes jsonb not null,
  time timestamptz not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
);

create index events_of_user on events (environment_id, user_id) where user_id is not null;
create index events_of_group on events (environment_id, group_id) where group_id is not null;

create table attribute_definitions (
  environment_id int not null,
  id uuid not null,
  scope text collate "C" not null,
  name text collate "C" not null,
  data_type text not null,
  display_name text collate "C" not null,
  description text not null,
  type_conflicts bigint not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, scope, name)
);

create index attribute_definitions_by_display_name on attribute_definitions (environment_id, display_name, id);
create index attribute_definitions_by_name on attribute_definitions (environment_id, name, id);
create index attribute_definitions_by_created_at on attribute_definitions (environment_id, created_at, id);

create table event_definitions (
  environment_id int not null,
  id uuid not null,
  name text collate "C" not null,
  display_name text collate "C" not null,
  description text not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  unique (environment_id, name)
);

create index event_definitions_by_display_name on event_definitions (environment_id, display_name, id);
create index event_definitions_by_created_at on event_definitions (environment_id, created_at, id);

-- Which attribute was seen on which event.
create table event_attribute_uses (
  environment_id int not null,
  event_name text collate "C" not null,
  attribute_name text collate "C" not null,
  primary key (environment_id, event_name, attribute_name)
);
