-- Edit mode: a member opens a page of the application from the editor, to pick elements and to see a draft in place.

-- token_hash is of the one-time token in the fragment of the address; session_hash of the token that it is exchanged for, and
-- null until then. proposals counts what the page has proposed. A row belongs to one member, one content and one origin. Rows are deleted after a day.
create table edit_sessions (
  environment_id int not null,
  id uuid not null,
  token_hash bytea not null,
  session_hash bytea,
  member_id uuid not null,
  content_id uuid not null,
  origin text collate "C" not null,
  purpose text collate "C" not null,
  step text,
  created_at timestamptz(3) not null,
  exchanged_at timestamptz(3),
  used_at timestamptz(3),
  ended_at timestamptz(3),
  proposals int not null default 0,
  primary key (environment_id, id),
  constraint edit_sessions_by_token unique (environment_id, token_hash)
);

create index edit_sessions_by_session on edit_sessions (environment_id, session_hash);

-- What a page proposes as the target of a step. locators is JSON: each with how many elements match and how stable it is.
-- state: offered, confirmed or declined.
create table edit_proposals (
  environment_id int not null,
  id uuid not null,
  edit_id uuid not null,
  step text,
  locators text not null,
  page text not null,
  state text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
);

create index edit_proposals_of_edit on edit_proposals (environment_id, edit_id, id);
