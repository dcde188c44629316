-- The audit log is filtered by what was changed, and by the kind of who changed it.

create index audit_entries_of_target on audit_entries (account_id, target_id, id);

create index audit_entries_of_actor_kind on audit_entries (account_id, actor_kind, id);
