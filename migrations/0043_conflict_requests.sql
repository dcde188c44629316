-- The request that caused the example of a type conflict.

alter table attribute_conflicts add column request_id text collate "C";
