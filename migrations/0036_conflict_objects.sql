-- The user or group whose value was the example of a type conflict.

alter table attribute_conflicts add column object_id text collate "C";
