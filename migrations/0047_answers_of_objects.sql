-- Which user and group a stored answer is about: their deletion empties it (server/idempotency/removal.ts). Null when it is
-- about none, and of answers from before this migration, which expire within 24 hours.
alter table idempotency_keys add column user_id text collate "C", add column group_id text collate "C";

create index idempotency_keys_of_user on idempotency_keys (environment_id, user_id, key) where user_id is not null;
create index idempotency_keys_of_group on idempotency_keys (environment_id, group_id, key) where group_id is not null;
