-- "Which runs did this key start?": the list's filter, newest run first.
create index runs_by_key on runs (api_key_id, created_at, id) where api_key_id is not null;

-- The words of a run's error, and its workspace as one more: so that a search reads the errors of its own workspace only.
-- What is no letter or digit separates words: parts of addresses and codes are found, too.
create function error_words(workspace_id uuid, error jsonb) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array[workspace_id::text]) || to_tsvector('simple', regexp_replace(
    coalesce(error ->> 'code', '') || ' ' || coalesce(error ->> 'step_name', '') || ' ' || coalesce(error ->> 'message', ''),
    '[^[:alnum:]]+', ' ', 'g'))
$$;
-- Only runs that failed have an error: what succeeds pays nothing.
create index runs_error_words on runs using gin (error_words(workspace_id, error)) where error is not null;
