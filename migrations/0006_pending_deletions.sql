-- Users and groups that are deleted, but of whose events and notifications there were too many for one transaction. What
-- is left of them has an id up to the boundary. It is not shown and not sent any more, and is removed in small steps; the
-- row goes last. What is stored later has a greater id.
create table pending_deletions (
  environment_id int not null,
  owner text not null,
  owner_id text collate "C" not null,
  boundary uuid not null,
  requested_at timestamptz(3) not null,
  primary key (environment_id, owner, owner_id, boundary)
);

create index pending_deletions_by_boundary on pending_deletions (environment_id, boundary);
