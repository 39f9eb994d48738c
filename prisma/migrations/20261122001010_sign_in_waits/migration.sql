-- Attempts wait longer and longer, and are forgotten one by one: both depend on the last attempt.
alter table sign_in_attempts rename column window_started_at to last_at;
create index sign_in_attempts_last_at_idx on sign_in_attempts (last_at);
