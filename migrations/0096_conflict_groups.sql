-- The group of the event or membership whose value is the example of a type conflict: its deletion deletes the example too.
alter table attribute_conflicts add column group_id text collate "C";

create index attribute_conflicts_of_group on attribute_conflicts (environment_id, group_id);
