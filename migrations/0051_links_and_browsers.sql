-- Who made the link: it ends with this member's removal or demotion, and with a change of the password.
alter table member_links add column made_by uuid references members (id) on delete cascade;

create index member_links_made_by on member_links (made_by) where made_by is not null;

create index member_links_of_member on member_links (member_id) where member_id is not null;

-- Browsers that a member has signed in with before. Wrong passwords from elsewhere do not lock them out. A browser is stored as
-- the SHA-256 hash of its token.
create table member_browsers (
  token_hash bytea primary key,
  member_id uuid not null references members (id) on delete cascade,
  used_at timestamptz(3) not null
);

create index member_browsers_of_member on member_browsers (member_id, used_at);
