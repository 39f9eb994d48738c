-- A step starts one sub-run per attempt that was answered: a parent that goes on after a crash finds the one it has.
drop index runs_parent_run_id;
create unique index runs_parent_step on runs (parent_run_id, parent_step) where parent_run_id is not null;
