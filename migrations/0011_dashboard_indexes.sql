-- What the dashboard looks for: users by the beginning of their e-mail and name, groups by that of their name, whatever the
-- case; the events and notifications of one user or group, newest first; and the newest events of one name.
--
-- The indexes over lower(…) read columns that other indexes read too, so they prevent no HOT update. A name_key begins with
-- the letter of its type.

create index users_by_lower_email on users (environment_id, lower(email_key), id) where email_key is not null;

create index users_by_lower_name on users (environment_id, lower(name_key), id) where name_key >= 's' and name_key < 't';

create index groups_by_lower_name on groups (environment_id, lower(name_key), id) where name_key >= 's' and name_key < 't';

create index events_of_user_by_id on events (environment_id, user_id, id) where user_id is not null;

drop index events_of_user;

create index events_of_group_by_id on events (environment_id, group_id, id) where group_id is not null;

drop index events_of_group;

create index webhook_notifications_of_user_by_id on webhook_notifications (environment_id, user_id, id) where user_id is not null;

drop index webhook_notifications_of_user;

create index webhook_notifications_of_group_by_id on webhook_notifications (environment_id, group_id, id) where group_id is not null;

drop index webhook_notifications_of_group;
