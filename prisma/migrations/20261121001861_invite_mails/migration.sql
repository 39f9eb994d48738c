-- An invite that is to be mailed: it waits here, in the transaction that made it, until a worker has sent it.
alter table workspace_invites
  -- The link, encrypted, until the mail is sent or given up.
  add column link_sealed bytea,
  add column mail_attempts integer not null default 0,
  -- Null: nothing is to be sent (any more).
  add column next_mail_at timestamptz(3),
  add column mailed_at timestamptz(3),
  add column mail_error text;
create index workspace_invites_next_mail_at_idx on workspace_invites (next_mail_at);
