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

-- What happened, as it was then. The id is a UUID v7: it begins with its time, so a partition is a range of days.
create table webhook_notifications (
  environment_id int not null,
  id uuid not null,
  topic text not null,
  object jsonb not null,
  user_id text collate "C",
  group_id text collate "C",
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
) partition by range (id);

create index webhook_notifications_of_user on webhook_notifications (environment_id, user_id) where user_id is not null;
create index webhook_notifications_of_group on webhook_notifications (environment_id, group_id) where group_id is not null;

create table webhook_notifications_default partition of webhook_notifications default;

create table webhook_deliveries (
  environment_id int not null,
  subscription_id uuid not null,
  notification_id uuid not null,
  due_at timestamptz(3) not null,
  attempt int not null,
  primary key (environment_id, subscription_id, notification_id),
  foreign key (environment_id, subscription_id) references webhook_subscriptions (environment_id, id) on delete cascade
);
