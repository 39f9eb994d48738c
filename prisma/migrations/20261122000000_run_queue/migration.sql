-- The queue of runs: one row for each run that waits for a worker or is being executed. Workers take from it with
-- take_runs. A run that waits for something else (a decision, a sub-run) has no row; one that waits for a point in time
-- has a row that is due later.
create table run_queue (
  run_id uuid primary key,
  workspace_id uuid not null,
  -- Lower first, within a workspace.
  priority smallint not null default 0,
  run_at timestamptz(6) not null default now(),
  -- True until run_at; take_runs makes it false then.
  is_later boolean not null default false,
  -- Only the quarantine worker takes it.
  is_suspect boolean not null default false,
  attempts integer not null default 0,
  -- The worker that executes the run, since when, and under which number: every taking has its own.
  taken_by text,
  taken_at timestamptz(6),
  ticket bigint
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create sequence run_queue_tickets;
create index run_queue_waiting on run_queue (workspace_id, priority, run_at)
  where ticket is null and not is_later and not is_suspect;
create index run_queue_later on run_queue (run_at) where is_later;
create index run_queue_suspect on run_queue (run_at) where is_suspect and not is_later;
create index run_queue_taken on run_queue (workspace_id) where ticket is not null;

-- How many runs the worker executes at once; 0 for a worker of an older version, which does not take from run_queue.
alter table worker_heartbeats add column slots integer not null default 0;
