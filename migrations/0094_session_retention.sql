-- For how many days content sessions are kept after they have ended; null keeps them for good.

alter table environments add column keep_sessions_days int check (keep_sessions_days > 0);
