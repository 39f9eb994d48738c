-- A breaker protects one destination: a connection, and for HTTP requests an origin. Tests of drafts have their own. The
-- rows so far belong to no single destination; without them every breaker is closed.
delete from circuit_breakers;
alter table circuit_breakers drop constraint circuit_breakers_pkey,
  add column id uuid primary key default gen_random_uuid(),
  add column connection_id uuid references connections (id) on delete cascade,
  add column origin text,
  add column is_test boolean not null default false;
create unique index circuit_breakers_destination
  on circuit_breakers (workspace_id, connector, is_test, origin, connection_id) nulls not distinct;
create index circuit_breakers_connection on circuit_breakers (connection_id);
