-- Accounts, their environments and keys: the only tables that do not belong to one environment.

create table accounts (
  id int generated always as identity primary key,
  name text not null,
  plan text not null,
  created_at timestamptz not null,
  unique (name)
);

create table environments (
  id int generated always as identity primary key,
  account_id int not null references accounts (id),
  name text not null,
  created_at timestamptz not null,
  unique (account_id, name)
);

-- A key is stored as its SHA-256 hash; prefix and last_four are what is shown of it after its creation.
create table api_keys (
  id int generated always as identity primary key,
  environment_id int not null references environments (id),
  hash bytea not null unique,
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- Raised by every change to accounts, environments or keys. Nodes poll it, and forget what they remember when it moves.
create table control_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null
);

insert into control_revision (revision) values (1);
