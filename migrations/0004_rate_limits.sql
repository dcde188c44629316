-- How much of its requests of the current minute each account has handed out to the nodes: one row per account, begun
-- anew by the first request of another minute, so there is nothing old to clean up.

create table rate_limits (
  account_id int primary key references accounts (id) on delete cascade,
  minute bigint not null,
  used int not null,
  granted int not null
) with (fillfactor = 50);
