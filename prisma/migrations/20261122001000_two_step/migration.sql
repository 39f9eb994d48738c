-- The authenticator app of a person. It counts only after a first code confirmed it.
create table user_totp (
  user_id uuid primary key references users (id) on delete cascade,
  secret_sealed bytea not null,
  confirmed_at timestamptz(3),
  -- The time step of the last accepted code: a code works once, and no older one works after it.
  last_step bigint,
  created_at timestamptz(3) not null default now()
);

create table user_passkeys (
  -- The id of the WebAuthn credential, base64url.
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  -- Signatures so far, if the authenticator counts them. A counter that does not increase shows a copied key.
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index user_passkeys_user_id_idx on user_passkeys (user_id);

create table user_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Tokens of finished sign-ins, until they expire: none works twice.
create table used_sign_in_tokens (
  id uuid primary key,
  expires_at timestamptz(3) not null
);
create index used_sign_in_tokens_expires_at_idx on used_sign_in_tokens (expires_at);

-- The second factor of the sign-in, and when the person last proved who they are.
alter table user_sessions add column second_factor text;
alter table user_sessions add column verified_at timestamptz(3) not null default now();

alter table workspaces add column require_two_step boolean not null default false;
