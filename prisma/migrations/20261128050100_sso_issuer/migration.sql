-- The issuer of the provider when the rule was saved: a name in OIDC_PROVIDERS must not come to mean another issuer.
-- Null for a rule that was saved before this column.
alter table workspace_sso add column issuer text;
