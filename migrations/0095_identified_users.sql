-- Which users the pages of today and of the day before have identified, by the allowed origin and by how it was proven.
-- A sample of bounded size: of each day, origin and proof those with the least ranks stay. The rank is 31 bits of a keyed
-- hash of the user id, so their number tells how many there were.
create table identified_users (
  environment_id int not null,
  day date not null,
  origin text collate "C" not null,
  proof text collate "C" not null,
  rank int not null,
  user_id text collate "C" not null,
  last_at timestamptz(3) not null,
  primary key (environment_id, day, origin, proof, rank)
);

create index identified_users_of_user on identified_users (environment_id, user_id);

-- The newest identification of each environment.
create table last_identifications (
  environment_id int primary key,
  user_id text collate "C" not null,
  proof text collate "C" not null,
  at timestamptz(3) not null
);

create index last_identifications_of_user on last_identifications (environment_id, user_id);

-- After a rotation the token before works until then. Nodes of an earlier version do not end it.
alter table public_tokens add column ends_at timestamptz(3);
