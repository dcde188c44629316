-- A preview in the page can be as a user: null when it is as nobody. The row goes when the user is deleted.
alter table edit_sessions add column user_id text collate "C";

create index edit_sessions_of_user on edit_sessions (environment_id, user_id);
