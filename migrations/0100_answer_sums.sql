-- The answers of runs that are over, summed, so that results over many of them read few rows.

-- By the day (UTC) on which the run began. value: empty for how many answered; = and a number or an option of the question
-- that was given; + for any other text. So no text of a user is kept here.
create table content_answer_days (
  environment_id int not null,
  content_id uuid not null,
  version_id uuid not null,
  question text collate "C" not null,
  value text collate "C" not null,
  day date not null,
  answers int not null,
  primary key (environment_id, content_id, version_id, question, value, day)
);

-- Up to when the answers of an environment are summed. Servers of an earlier version sum runs only.
alter table content_sums add column answers_until timestamptz;
