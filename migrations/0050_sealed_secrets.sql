-- Which key seals the secrets that other tables hold. The key itself is not in the database.
create table secret_keys (
  id text primary key,
  created_at timestamptz(3) not null
);

-- Whether the node opens sealed secrets. Nodes from before this migration do not, and leave it out.
alter table nodes add column opens_sealed boolean not null default false;
