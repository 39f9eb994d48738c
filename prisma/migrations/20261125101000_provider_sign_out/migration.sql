-- The session at the OpenID Connect provider that a session started from, which a back-channel logout names.
alter table user_sessions add column provider_sid text;

-- The ID token of the sign-in, which the provider asks for when the person signs out there.
alter table user_sessions add column id_token_sealed bytea;

create index user_sessions_provider_sid_idx on user_sessions (provider, provider_sid) where provider is not null;
