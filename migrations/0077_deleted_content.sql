-- Content that was deleted. Its sessions, states, answers and results are hidden from then on, and removed in steps. The row stays
-- for a while after that: a write that was under way may have stored one more.
create table deleted_content (
  environment_id int not null,
  content_id uuid not null,
  deleted_at timestamptz(3) not null,
  primary key (environment_id, content_id)
);
