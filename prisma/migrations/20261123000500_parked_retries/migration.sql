-- The retries that a parked run waits for: the attempt that failed, its error, and when the next one starts. A journal shows
-- a retry only when its attempt starts.
alter table runs add column retries jsonb;
