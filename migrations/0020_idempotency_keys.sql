-- The answers of requests with an Idempotency-Key, stored in the transaction of the write itself. One that is over 24 hours
-- old counts for nothing and is deleted in steps (server/idempotency/sweeper.ts). Not partitioned by time: two requests
-- with the same key at the same moment have to meet in one unique index.
create table idempotency_keys (
  environment_id int not null,
  key text collate "C" not null,
  -- SHA-256 of the method, the path and the body.
  fingerprint bytea not null,
  -- The body of the answer, as it was sent.
  body text not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, key)
);

create index idempotency_keys_by_created_at on idempotency_keys (created_at);
