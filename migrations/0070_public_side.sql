-- What pages may use: public tokens, the origins that may send them, and how pages prove who their user is. All of it is
-- looked up before the environment is known, or together with that, so it stays on the coordinator of a sharded PostgreSQL.

-- A token is public: it stands in the source of pages, and is stored as it is.
create table public_tokens (
  id int generated always as identity primary key,
  environment_id int not null references environments (id),
  token text collate "C" not null unique,
  name text not null default '',
  created_by text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

create index public_tokens_of_environment on public_tokens (environment_id, id);

-- `https://app.example.com`, `https://*.example.com`, or `localhost`. Without a row, only localhost.
create table public_origins (
  environment_id int not null references environments (id),
  origin text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, origin)
);

-- identity: off, report or required. visitor_key signs visitor tokens; it is sealed.
create table public_settings (
  environment_id int primary key references environments (id),
  identity text collate "C" not null,
  visitor_key text not null
);

-- The secrets that signatures of identities are checked with, sealed. At most two are live.
create table identity_secrets (
  environment_id int not null references environments (id),
  id uuid not null,
  secret text not null,
  last_four text not null,
  created_by text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (environment_id, id)
);

-- written_by: `anyone`, or `back_end`, whose values pages cannot change. Names from before this migration belong to the back
-- end, and so do those that an older node makes. A choice of a member stays.
alter table attribute_definitions add column written_by text collate "C" not null default 'back_end';

alter table attribute_definitions add column written_by_chosen boolean not null default false;

alter table attribute_definitions add column shown_unverified boolean not null default false;
