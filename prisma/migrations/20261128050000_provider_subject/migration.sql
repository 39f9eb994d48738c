-- The issuer and the subject of the person at the OpenID Connect provider that a session started from. A logout that names
-- the person finds the session by it, also after the person disconnected the account.
alter table user_sessions add column provider_subject text;

create index user_sessions_provider_subject_idx on user_sessions (provider_subject) where provider_subject is not null;

-- When the token was used, or when the provider ended what the row names.
alter table used_sign_in_tokens add column used_at timestamptz(3) not null default now();
