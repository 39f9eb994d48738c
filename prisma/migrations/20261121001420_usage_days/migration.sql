-- What the runs of one past day came to. A day that is over does not change any more, so it is counted once, when
-- somebody first looks at it, and outlives its runs.
create table usage_days (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- A day begins when it begins somewhere.
  time_zone text not null,
  day date not null,
  groups jsonb not null,
  primary key (workspace_id, time_zone, day)
);
