-- refuse_replay: refuses a replay of a run whose last events are packed (see journal_events), unless its transaction says
-- that it reads them. The release before does not find the steps in them, and would execute them again.
--
-- Locks: none.
-- Called by: its trigger on runs.
-- SQL because: the release before, which runs during an upgrade or after a step back, knows nothing of packed events.
create or replace function refuse_replay() returns trigger language plpgsql as $$
begin
  if current_setting('signalbox.reads_packed_events', true) is distinct from 'on'
    and exists (select from journal_ends where run_id = new.resume_from_run_id)
  then
    raise exception 'a newer release of Signalbox executed the run %, and this release would repeat its steps',
      new.resume_from_run_id using hint = 'Replay it with the newer release, or start a new run.';
  end if;
  return null;
end $$;
create or replace trigger runs_refuse_replay after insert on runs for each row
  when (new.resume_from_run_id is not null)
  execute function refuse_replay();
