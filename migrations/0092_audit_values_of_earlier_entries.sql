-- Entries from before 0046 have the values of users, groups and events in themselves. They move to where a deletion finds
-- them; those of users and groups that are deleted already go. On a cluster (Citus) users and groups are on the workers, so
-- the entries are selected before they are joined: a condition with a select of its own is refused there.
insert into audit_values (environment_id, entry_id, user_id, group_id, before, after)
select environments.id, entry.id, coalesce(entry.after, entry.before) ->> 'user_id',
       coalesce(entry.after, entry.before) ->> 'group_id', entry.before, entry.after
  from audit_entries as entry
  join environments on environments.account_id = entry.account_id and environments.slug = entry.environment
 where entry.target_kind = 'event' and entry.values_environment_id is null
   and coalesce(entry.before, entry.after) is not null;

with earlier as materialized (
  select environments.id as environment_id, entry.id, entry.target_id, entry.before, entry.after
    from audit_entries as entry
    join environments on environments.account_id = entry.account_id and environments.slug = entry.environment
   where entry.target_kind = 'user' and entry.values_environment_id is null
     and coalesce(entry.before, entry.after) is not null)
insert into audit_values (environment_id, entry_id, user_id, group_id, before, after)
select earlier.environment_id, earlier.id, earlier.target_id,
       coalesce(earlier.after, earlier.before) ->> 'group_id', earlier.before, earlier.after
  from earlier
  join users on users.environment_id = earlier.environment_id and users.id = earlier.target_id;

with earlier as materialized (
  select environments.id as environment_id, entry.id, entry.target_id, entry.before, entry.after
    from audit_entries as entry
    join environments on environments.account_id = entry.account_id and environments.slug = entry.environment
   where entry.target_kind = 'group' and entry.values_environment_id is null
     and coalesce(entry.before, entry.after) is not null)
insert into audit_values (environment_id, entry_id, user_id, group_id, before, after)
select earlier.environment_id, earlier.id, coalesce(earlier.after, earlier.before) ->> 'user_id',
       earlier.target_id, earlier.before, earlier.after
  from earlier
  join groups on groups.environment_id = earlier.environment_id and groups.id = earlier.target_id;

alter table audit_entries disable rule audit_entries_are_not_changed;

update audit_entries as entry
   set before = null, after = null,
       values_environment_id = (select id from environments
                                 where environments.account_id = entry.account_id and slug = entry.environment),
       fields = array(select distinct jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) order by 1)
 where target_kind in ('user', 'group', 'event') and values_environment_id is null
   and coalesce(before, after) is not null;

alter table audit_entries enable rule audit_entries_are_not_changed;
