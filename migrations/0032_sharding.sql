-- For a PostgreSQL whose tables are distributed over several machines (Citus). On one machine both tables stay empty.

-- Which transactions have committed, while somebody may ask (server/database/commit-markers.ts).
create table commit_markers (
  environment_id int not null,
  id uuid not null,
  is_committed boolean not null,
  primary key (environment_id, id)
);

-- A row for each environment that has been written to. Inserts select from it, and so are one statement on the machine of
-- their environment (server/database/parts.ts).
create table environment_anchors (
  environment_id int not null,
  primary key (environment_id)
);
