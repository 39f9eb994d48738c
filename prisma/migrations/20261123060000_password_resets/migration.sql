-- The newest request of a user for a link that sets a new password. One row per user, so requests cannot fill the table.
create table password_resets (
  user_id uuid primary key references users (id) on delete cascade,
  -- Requests in the day that started with the first one: mail to one address is limited.
  requests integer not null default 1,
  first_requested_at timestamptz(3) not null default now(),
  requested_at timestamptz(3) not null default now(),
  -- Of the link in the newest email. Null before the email and after the link was used.
  token_hash bytea unique,
  expires_at timestamptz(3),
  next_mail_at timestamptz(3),
  mail_attempts integer not null default 0
);

create index password_resets_next_mail_at_idx on password_resets (next_mail_at);
