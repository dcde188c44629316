-- The dashboard: who may sign in, what they did, and what environments and keys show of themselves there.

-- The slug stands in the dashboard's addresses. It is made from the first name and survives renaming. An environment that is
-- being deleted has lost its name and its keys at once; its rows go in portions, and its own row last.
alter table environments add column slug text collate "C";

alter table environments add column deleted_at timestamptz(3);

update environments
   set slug = made.slug
  from (select id,
               case when base <> '' and base !~ '-[0-9]+$' and place = 1
                     and base not in ('api', 'assets', 'set-up', 'invitation', 'sign-in', 'members', 'environments', 'usage',
                                      'audit-log', 'system', 'account')
                    then base
                    else coalesce(nullif(base, ''), 'environment') || '-' || id end as slug
          from (select id, base, row_number() over (partition by account_id, base order by id) as place
                  from (select id, account_id,
                               trim(both '-' from regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')) as base
                          from environments) as named) as placed) as made
 where environments.id = made.id;

alter table environments alter column slug set not null;

create unique index environments_by_slug on environments (account_id, slug);

alter table api_keys add column name text not null default '';

alter table api_keys add column created_by text;

alter table api_keys add column last_used_at timestamptz(3);

create index api_keys_of_environment on api_keys (environment_id, id);

-- Sessions of the account's members end when they were not used for so many hours.
alter table accounts add column idle_hours int;

-- email_key is the address in lower case: one address is one member, over all accounts, since it is all that signs in.
create table members (
  id uuid primary key,
  account_id int not null references accounts (id) on delete cascade,
  email text not null,
  email_key text collate "C" not null unique,
  name text not null,
  role text not null,
  password text not null,
  created_at timestamptz(3) not null,
  last_active_at timestamptz(3)
);

create index members_of_account on members (account_id, created_at, id);

-- A session is stored as the SHA-256 hash of its token.
create table member_sessions (
  token_hash bytea primary key,
  member_id uuid not null references members (id) on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index member_sessions_of_member on member_sessions (member_id);

create index member_sessions_by_expiry on member_sessions (expires_at);

-- One-time links: set_up makes the owner, invitation makes a member, password sets a new one for member_id.
create table member_links (
  id uuid primary key,
  token_hash bytea not null unique,
  account_id int not null references accounts (id) on delete cascade,
  kind text not null,
  role text,
  email text,
  member_id uuid references members (id) on delete cascade,
  invited_by text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index member_links_of_account on member_links (account_id, created_at, id);

-- Failed attempts to sign in, by a hash of the address or of the e-mail. A row begins anew when its window is over.
create table sign_in_attempts (
  key bytea primary key,
  window_ends_at timestamptz(3) not null,
  attempts int not null
);

create index sign_in_attempts_by_end on sign_in_attempts (window_ends_at);

-- What members did, and what was done at the command line. The id is a UUID v7 and begins with its time. It has no foreign
-- key: an entry stays when what it tells of is gone.
create table audit_entries (
  account_id int not null,
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  action text collate "C" not null,
  target_kind text collate "C" not null,
  target_id text not null,
  target_name text,
  environment text collate "C",
  address text,
  request_id text,
  before jsonb,
  after jsonb,
  primary key (account_id, id)
);

create index audit_entries_of_actor on audit_entries (account_id, actor_id, id);

create index audit_entries_of_kind on audit_entries (account_id, target_kind, id);

create index audit_entries_of_environment on audit_entries (account_id, environment, id);

create rule audit_entries_are_not_changed as on update to audit_entries do instead nothing;

create rule audit_entries_are_not_deleted as on delete to audit_entries do instead nothing;
