-- error_words: returns the words of a run's error, and its workspace as one more word, so that a search reads only the
-- errors of its own workspace. Everything that is not a letter or digit separates words, so parts of addresses and codes
-- are found, too.
--
-- Its results are stored (the generated column runs.error_words): the body must not change. Other words need a function
-- with a new name and a migration that rewrites the column.
-- With a setting, because PostgreSQL otherwise parses and plans the body again in every statement that writes runs, also when
-- no run has an error: of the CPU time of an insert, 42 of 188 us, and of an update, 58 of 169 us.
-- Locks: none.
-- Called by: the generated column runs.error_words.
-- SQL because: a generated column computes it.
create or replace function error_words(workspace_id uuid, error jsonb) returns tsvector language sql immutable parallel safe
set search_path = pg_catalog as $$
  select array_to_tsvector(array[workspace_id::text]) || to_tsvector('simple', regexp_replace(
    coalesce(error ->> 'code', '') || ' ' || coalesce(error ->> 'step_name', '') || ' ' || coalesce(error ->> 'message', ''),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
