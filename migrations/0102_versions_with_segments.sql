-- Which versions that were published name a segment (server/segments/uses.ts). Without it, every look for what uses segments
-- read the documents of all versions of all environments.
create index content_versions_with_segments on content_versions (environment_id, content_id)
  where published_at is not null and document like '%"segment"%';
