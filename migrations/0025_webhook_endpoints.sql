-- How the endpoints of subscriptions do, kept with the outcomes of their deliveries, so that nobody has to count attempts.
--
-- failures: failed attempts since the last success; failing_since: the first of them. is_failing: 20 of them over an hour.
create table webhook_endpoints (
  environment_id int not null,
  subscription_id uuid not null,
  failures int not null,
  failing_since timestamptz(3),
  is_failing boolean not null,
  primary key (environment_id, subscription_id)
) with (fillfactor = 50);

create index webhook_endpoints_failing on webhook_endpoints (environment_id, subscription_id) where is_failing;

-- The attempts of an hour (UTC) that were answered with 2xx, and those that were not. Kept for eight days.
create table webhook_endpoint_hours (
  environment_id int not null,
  subscription_id uuid not null,
  hour timestamptz(0) not null,
  delivered int not null,
  failed int not null,
  primary key (environment_id, subscription_id, hour)
) with (fillfactor = 50);

-- The secrets before this one that still sign along: [{"secret": "whsec_…", "expires_at": "…"}], the newest first.
alter table webhook_subscriptions add column previous_secrets jsonb not null default '[]';

-- Set for a subscription of `usher listen`: the command renews it and delivers by itself. Servers do not deliver for it,
-- do not list it, and delete it when this time has passed.
alter table webhook_subscriptions add column listener_until timestamptz(3);

create index webhook_subscriptions_of_listeners on webhook_subscriptions (environment_id, listener_until)
  where listener_until is not null;

-- For lists of deliveries, newest first: those that are not finished, by their state, and the last attempts of those that are.
create index webhook_deliveries_by_state on webhook_deliveries (environment_id, subscription_id, band, notification_id);

create index webhook_attempts_final on webhook_attempts (environment_id, subscription_id, (failure is null), notification_id)
  where next_attempt_at is null;
