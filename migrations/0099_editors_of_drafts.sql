-- Who edited a version last, by id: `member 7`, `key 3`, `command`. Null of versions that were edited before, and of those that a
-- server of an earlier version has created. Names can be the same.
alter table content_versions add column edited_by_id text collate "C";
