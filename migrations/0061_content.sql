-- Guided flows: what a team has written, and which version of it users see.

-- draft_version_id is the version that a save changes: while it equals published_version_id, a save makes a new version.
-- published_at is when it became published, and stays over later versions: it orders content of the same priority.
-- Sessions that began before counts_from do not count any more. address is where the dashboard opens the application to
-- pick targets and to preview.
create table content (
  environment_id int not null,
  id uuid not null,
  key text collate "C" not null,
  type text not null,
  name text collate "C" not null,
  draft_version_id uuid not null,
  published_version_id uuid,
  published_at timestamptz(3),
  counts_from timestamptz(3),
  address text,
  created_at timestamptz(3) not null,
  primary key (environment_id, id),
  constraint content_by_key unique (environment_id, key)
);

create index content_by_created_at on content (environment_id, created_at, id);
create index content_by_name on content (environment_id, name, id);

-- document is JSON text with its keys in the order of the writer. revision counts the saves of a draft. A version with
-- published_at does not change any more.
create table content_versions (
  environment_id int not null,
  id uuid not null,
  content_id uuid not null,
  number int not null,
  document text not null,
  description text not null default '',
  revision int not null,
  edited_at timestamptz(3) not null,
  edited_by text,
  created_at timestamptz(3) not null,
  published_at timestamptz(3),
  primary key (environment_id, id),
  constraint content_versions_by_number unique (environment_id, content_id, number)
);

-- Themes are live: they are part of no version.
create table themes (
  environment_id int not null,
  id uuid not null,
  key text collate "C" not null,
  name text collate "C" not null,
  document text not null,
  created_at timestamptz(3) not null,
  edited_at timestamptz(3) not null,
  primary key (environment_id, id),
  constraint themes_by_key unique (environment_id, key)
);

-- One row for each environment that has content or segments. revision rises with each change that can change a decision.
create table guidance (
  environment_id int primary key,
  revision bigint not null default 0
);

-- The switch that hides all content, and who turned it. quiet_ms: after a flow has ended, no other starts by itself for so long.
alter table guidance
  add column is_off boolean not null default false,
  add column switched_by text,
  add column switched_at timestamptz(3),
  add column quiet_ms bigint not null default 0,
  add column members_may_publish boolean not null default false;
