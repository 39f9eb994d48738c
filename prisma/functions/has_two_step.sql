-- has_two_step: returns whether a person has a second factor: a confirmed authenticator app or a passkey.
--
-- Locks: none.
-- Called by: `lib/domain/accounts/find-account`, `lib/domain/accounts/single-sign-on/sign-in-with-provider`,
-- `lib/domain/accounts/two-step/get-two-step`.
-- SQL because: several statements ask it about the person they read.
create or replace function has_two_step(of_user uuid) returns boolean language sql stable as $$
  select exists (select 1 from user_totp t where t.user_id = of_user and t.confirmed_at is not null)
    or exists (select 1 from user_passkeys p where p.user_id = of_user)
$$;
