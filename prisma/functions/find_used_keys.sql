-- find_used_keys: locks the idempotency keys of runs, and returns the runs whose key answers them.
--
-- `of_runs`, `key_hours`, `waits`: see create_runs.
-- Outcomes: replayed (the key was used before, with the same payload), key_reused (with another one), in_progress (an equal
-- call holds the key), later (an earlier run of the list has the same key, and decides).
-- Locks: one for each key, until the transaction ends. Only a single run waits for it.
-- Called by: create_runs.
-- SQL because: it looks for the keys after it has locked them (see create_runs).
create or replace function find_used_keys(of_runs json, key_hours integer, waits boolean)
returns table (id uuid, outcome text) language plpgsql as $$
declare
  firsts uuid[];
  locked uuid[];
begin
  select array_agg(k.id), array_agg(k.id) filter (where lock_key(k.lock, waits)) into firsts, locked from (
    select distinct on (r.workspace_id, r.action_slug, r.idempotency_key) r.id,
        hashtextextended(concat_ws('|', r.workspace_id, r.action_slug, r.idempotency_key), 1) as lock
      from rows from (json_to_recordset(of_runs)
        as (id uuid, workspace_id uuid, action_slug text, idempotency_key text)) with ordinality as r
      where r.idempotency_key is not null
      order by r.workspace_id, r.action_slug, r.idempotency_key, r.ordinality
  ) k;
  return query
    select k.id, k.outcome from (
      select r.id, case
          when u.created_at > clock_timestamp() - make_interval(hours => key_hours) then
            case when u.payload_hash = decode(r.payload_hash, 'base64') then 'replayed' else 'key_reused' end
          when r.id <> all (firsts) then 'later'
          when r.id = any (locked) is not true then 'in_progress'
        end as outcome
        from json_to_recordset(of_runs)
          as r (id uuid, workspace_id uuid, action_slug text, idempotency_key text, payload_hash text)
        left join lateral (
          -- The limit keeps PostgreSQL from planning a join, which reads the whole table.
          select i.payload_hash, i.created_at from idempotency_keys i
            where i.workspace_id = r.workspace_id and i.action_slug = r.action_slug and i.key = r.idempotency_key
            limit 1
        ) u on true
        where r.idempotency_key is not null
    ) k where k.outcome is not null;
end $$;
