-- The memberships of a deleted user or group leave in small steps too (docs/decisions/087-memberships-in-steps.md). The
-- foreign keys removed all of them in one statement; a write that makes a membership locks both of its ends instead.

alter table group_memberships drop constraint group_memberships_environment_id_user_id_fkey;

alter table group_memberships drop constraint group_memberships_environment_id_group_id_fkey;

-- When the deleted user or group was created: what is left of its memberships has that time of it. Null when there was none.
alter table pending_deletions add column object_created_at timestamptz(3);
