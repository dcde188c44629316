-- The column has the name that the code has for it (server/webhooks/delivery/states.ts): 0 waits for its first attempt,
-- 1 waits for a retry, 2 waits because the receiver said Retry-After, 3 is being sent. Renaming changes the catalog alone;
-- the indexes follow.
alter table webhook_deliveries rename column band to state;
