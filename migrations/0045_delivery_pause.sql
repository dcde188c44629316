-- Has a row while no node sends webhooks: in a restored copy, until an operator says otherwise (server/webhooks/pause.ts).
create table delivery_pause (
  singleton boolean primary key default true check (singleton),
  reason text not null,
  since timestamptz(3) not null
);
