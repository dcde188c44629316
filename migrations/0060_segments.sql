-- Segments: named conditions over users or groups, always evaluated live.

-- condition is JSON text as it was written.
create table segments (
  environment_id int not null,
  id uuid not null,
  key text collate "C" not null,
  name text collate "C" not null,
  scope text not null,
  condition text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (environment_id, id)
);

create unique index segments_by_key on segments (environment_id, key);
create index segments_by_created_at on segments (environment_id, created_at, id);
create index segments_by_name on segments (environment_id, name, id);

-- Which content uses which segment: written by content when it is published and unpublished (server/segments/uses.ts). A used
-- segment is not deleted.
create table segment_uses (
  environment_id int not null,
  segment text collate "C" not null,
  content text collate "C" not null,
  primary key (environment_id, segment, content)
);

create index segment_uses_of_content on segment_uses (environment_id, content);
