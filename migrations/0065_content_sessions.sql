-- Guided flows: who has been shown what, how far each came, and what was answered.

-- Sessions that are open and began before ends_before are over; they are ended in steps. Those from before restarts_before
-- do not count either, so that their content starts again.
alter table content
  add column ends_before timestamptz(3),
  add column restarts_before timestamptz(3);

-- The right of a browser (its holder) to show a content until lease_until. A row is deleted when the right ends. Before the
-- first step is seen there is no session, and the row is all that there is. receipt is the decision that led to it: it moves
-- to the session. hidden_at: since when nothing of it is visible.
create table content_claims (
  environment_id int not null,
  id uuid not null,
  user_id text collate "C" not null,
  content_id uuid not null,
  version_id uuid not null,
  type text not null,
  group_id text collate "C",
  holder text collate "C" not null,
  epoch int not null,
  sequence int not null,
  state text not null,
  reason text not null,
  lease_until timestamptz not null,
  hidden_at timestamptz,
  receipt jsonb,
  created_at timestamptz(3) not null,
  primary key (environment_id, id)
) with (fillfactor = 70);

create index content_claims_of_user on content_claims (environment_id, user_id);
create index content_claims_of_group on content_claims (environment_id, group_id) where group_id is not null;

-- One run of a user through a version. step and tasks hold keys of the document: the step that was seen last, and the tasks
-- that are completed. counts is false for a session that its publisher let start again.
create table content_sessions (
  environment_id int not null,
  id uuid not null,
  content_id uuid not null,
  version_id uuid not null,
  type text not null,
  user_id text collate "C" not null,
  group_id text collate "C",
  state text not null,
  reason text not null,
  step text,
  progress text,
  tasks jsonb not null default '[]',
  epoch int not null,
  sequence int not null,
  launcher_activated boolean not null default false,
  is_preview boolean not null default false,
  counts boolean not null default true,
  created_at timestamptz(3) not null,
  last_activity_at timestamptz(3) not null,
  completed_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  receipt jsonb,
  primary key (environment_id, id)
) with (fillfactor = 80);

create index content_sessions_by_created_at on content_sessions (environment_id, created_at, id);
create index content_sessions_by_activity on content_sessions (environment_id, last_activity_at, id);
create index content_sessions_of_content on content_sessions (environment_id, content_id, created_at, id);
create index content_sessions_of_content_by_activity on content_sessions (environment_id, content_id, last_activity_at, id);
create index content_sessions_of_user on content_sessions (environment_id, user_id, created_at, id);
create index content_sessions_of_group on content_sessions (environment_id, group_id, created_at, id) where group_id is not null;
create index content_sessions_open on content_sessions (environment_id, user_id, content_id) where ended_at is null;
create index content_sessions_open_of_content on content_sessions (environment_id, content_id, created_at) where ended_at is null;

-- What all sessions of a user and a content come to, so that a decision reads the same for a user with one session and for
-- one with ten thousand. previous_started_at is the start before the last one. missing_at: when the first target of
-- missing_version_id was last reported missing.
create table content_states (
  environment_id int not null,
  user_id text collate "C" not null,
  content_id uuid not null,
  started int not null,
  first_started_at timestamptz(3),
  last_started_at timestamptz(3),
  previous_started_at timestamptz(3),
  completed_at timestamptz(3),
  dismissed_at timestamptz(3),
  last_ended_at timestamptz(3),
  active_session_id uuid,
  missing_at timestamptz(3),
  missing_version_id uuid,
  primary key (environment_id, user_id, content_id)
) with (fillfactor = 80);

create index content_states_of_content on content_states (environment_id, content_id, user_id);

-- The answer to each question of a session: one of the three values. epoch and sequence say which report gave it.
create table content_answers (
  environment_id int not null,
  session_id uuid not null,
  question text collate "C" not null,
  id uuid not null,
  user_id text collate "C" not null,
  content_id uuid not null,
  version_id uuid not null,
  name text not null,
  number_answer float8,
  text_answer text,
  list_answer jsonb,
  epoch int not null,
  sequence int not null,
  created_at timestamptz(3) not null,
  primary key (environment_id, session_id, question)
);

create index content_answers_of_user on content_answers (environment_id, user_id, content_id, question, created_at, session_id);
create index content_answers_of_content on content_answers (environment_id, content_id, question, created_at);
