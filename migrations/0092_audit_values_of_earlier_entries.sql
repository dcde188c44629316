-- Entries from before 0046 have the values of users, groups and events in themselves. They move to where a deletion finds
-- them; those of users and groups that are deleted already go.
insert into audit_values (environment_id, entry_id, user_id, group_id, before, after)
select environments.id, entry.id,
       case entry.target_kind when 'user' then entry.target_id else coalesce(entry.after, entry.before) ->> 'user_id' end,
       case entry.target_kind when 'group' then entry.target_id else coalesce(entry.after, entry.before) ->> 'group_id' end,
       entry.before, entry.after
  from audit_entries as entry
  join environments on environments.account_id = entry.account_id and environments.slug = entry.environment
 where entry.target_kind in ('user', 'group', 'event') and entry.values_environment_id is null
   and coalesce(entry.before, entry.after) is not null
   and (entry.target_kind <> 'user'
        or exists (select from users where environment_id = environments.id and users.id = entry.target_id))
   and (entry.target_kind <> 'group'
        or exists (select from groups where environment_id = environments.id and groups.id = entry.target_id));

alter table audit_entries disable rule audit_entries_are_not_changed;

update audit_entries as entry
   set before = null, after = null,
       values_environment_id = (select id from environments
                                 where environments.account_id = entry.account_id and slug = entry.environment),
       fields = array(select distinct jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) order by 1)
 where target_kind in ('user', 'group', 'event') and values_environment_id is null
   and coalesce(before, after) is not null;

alter table audit_entries enable rule audit_entries_are_not_changed;
