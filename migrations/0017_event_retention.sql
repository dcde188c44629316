-- For how many days events are kept after they were stored; null keeps them for good.

alter table environments add column keep_events_days int check (keep_events_days > 0);
