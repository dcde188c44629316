-- The events that an attribute was seen on.

create index event_attribute_uses_by_attribute on event_attribute_uses (environment_id, attribute_name, event_name);

-- Replays that members start: deliveries are written in portions by one node, which says every few seconds that it is alive.
create table webhook_replays (
  environment_id int not null,
  id uuid not null,
  subscription_id uuid not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  state text not null,
  done bigint not null,
  written bigint not null,
  total bigint not null,
  started_by text,
  started_at timestamptz(3) not null,
  alive_at timestamptz(3) not null,
  primary key (environment_id, subscription_id, id)
);

-- What System shows of the processes that serve.
create table nodes (
  name text primary key,
  version text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);
