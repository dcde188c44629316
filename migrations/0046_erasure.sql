-- The values of audit entries about users, groups and events: the deletion of the user or group empties them. The entry
-- itself stays, with the names of the fields.
create table audit_values (
  environment_id int not null,
  entry_id uuid not null,
  user_id text collate "C",
  group_id text collate "C",
  before jsonb,
  after jsonb,
  primary key (environment_id, entry_id)
);

create index audit_values_of_user on audit_values (environment_id, user_id) where user_id is not null;
create index audit_values_of_group on audit_values (environment_id, group_id) where group_id is not null;

-- In which environment the values are, and of which fields.
alter table audit_entries add column values_environment_id int, add column fields text[];

-- The examples that are values of one user or group.
create index attribute_conflicts_of_object on attribute_conflicts (environment_id, object_id);
