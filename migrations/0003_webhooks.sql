-- Webhook subscriptions, and the outbox: what happened, and to whom it still has to be told.

create table webhook_subscriptions (
  environment_id int not null,
  id uuid not null,
  url text not null,
  url_key text collate "C" not null,
  topics text[] not null,
  api_version text not null,
  disabled boolean not null,
  secret text not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
);

create index webhook_subscriptions_by_created_at on webhook_subscriptions (environment_id, created_at, id);
create index webhook_subscriptions_by_url on webhook_subscriptions (environment_id, url_key, id);

-- What happened, as it was then: the JSON text of the object, kept for replays after its deliveries are finished. The id
-- is a UUID v7: it begins with its time, so a partition is a day. The server makes the partitions ahead and drops them
-- after 30 days (server/webhooks/retention.ts); the default partition is the net under that.
create table webhook_notifications (
  environment_id int not null,
  id uuid not null,
  topic text not null,
  object text not null,
  user_id text collate "C",
  group_id text collate "C",
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
) partition by range (id);

create index webhook_notifications_of_user on webhook_notifications (environment_id, user_id) where user_id is not null;
create index webhook_notifications_of_group on webhook_notifications (environment_id, group_id) where group_id is not null;

create table webhook_notifications_default partition of webhook_notifications default;

-- What still has to be told to whom. Small and hot: a row goes when it is acknowledged or given up.
--
-- band: 0 waits for its first attempt, 1 waits for a retry, 2 waits because the receiver said Retry-After, 3 is being
-- sent. While it is being sent, due_at is the end of the lease: a row whose sender died comes due again by itself.
-- lease_id is the fence: only who holds the lease can settle the row.
--
-- There is no foreign key: it would lock the subscription's row for every delivery written, and make the deletion of a
-- subscription wait for the deletion of its backlog. What is left of a deleted subscription is swept behind it.
create table webhook_deliveries (
  environment_id int not null,
  notification_id uuid not null,
  subscription_id uuid not null,
  band smallint not null,
  due_at timestamptz(3) not null,
  attempt int not null,
  attempted_at timestamptz(3),
  expires_at timestamptz(3) not null,
  lease_id uuid,
  primary key (environment_id, notification_id, subscription_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

create index webhook_deliveries_by_due on webhook_deliveries (environment_id, subscription_id, band, due_at);

-- The log: every attempt, with its times in milliseconds. In partitions like the notifications.
create table webhook_attempts (
  environment_id int not null,
  id uuid not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  attempt int not null,
  at timestamptz(3) not null,
  status int,
  failure text,
  name_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real not null,
  response text not null,
  next_attempt_at timestamptz(3),
  primary key (environment_id, subscription_id, id)
) partition by range (id);

create index webhook_attempts_of_notification on webhook_attempts (environment_id, notification_id);

create table webhook_attempts_default partition of webhook_attempts default;
