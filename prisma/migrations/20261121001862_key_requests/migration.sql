-- How a key is used, by the hour: counted in memory by the web processes and added up here every few seconds.
create table key_requests (
  key_id uuid not null references api_keys (id) on delete cascade,
  hour timestamptz(3) not null,
  -- Of the operation; empty where the request came to none (401, 429).
  operation text not null,
  -- The HTTP status in which it ended or would have, on MCP too; 200 for every success.
  status smallint not null,
  requests integer not null,
  last_at timestamptz(3) not null default now(),
  primary key (key_id, hour, operation, status)
);
