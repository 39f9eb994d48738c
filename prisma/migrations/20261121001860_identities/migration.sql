-- A person may sign in by their account of another service, and then needs no password here.
alter table users alter column password_hash drop not null;

create table user_identities (
  provider text not null,
  -- The service's own id of the account: addresses and names change hands, this does not.
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  -- The address the service had verified when the two were connected.
  email text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (provider, subject)
);
create index user_identities_user_id_idx on user_identities (user_id);

-- Where a person is signed in. The cookie names its row; without the row the session is over.
create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  method text not null,
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
create index user_sessions_user_id_idx on user_sessions (user_id);
create index user_sessions_last_seen_at_idx on user_sessions (last_seen_at);
