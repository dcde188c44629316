-- How far an import of a file has come. It is written in the transaction of the lines themselves, so an import that was
-- interrupted goes on behind the last line that is stored.
--
-- source is the SHA-256 of what is imported and as what. rejected are the refused lines of the last chunk, for the file of
-- rejected lines: that file is written after the transaction, and may lack them.
create table imports (
  environment_id int not null,
  source text collate "C" not null,
  lines bigint not null,
  stored bigint not null,
  refused bigint not null,
  chunk_start bigint not null,
  rejected text not null,
  updated_at timestamptz(3) not null,
  primary key (environment_id, source)
);
