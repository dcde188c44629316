-- All tables are in the schema `usher`, apart from those of other applications in the same database. The tables that a
-- version up to 4 made elsewhere have been moved here before this (server/database/schema.ts): SQL alone cannot tell them
-- from somebody else's tables of the same names.

comment on table schema_migrations is 'Which migrations of Usher are applied. All tables of Usher are in this schema.';
