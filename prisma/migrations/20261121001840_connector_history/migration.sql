-- What each build of a custom connector changed and who asked for it, so that people can read how it came to be what it
-- is. Versions from before know neither.
alter table connector_versions
  add column changes jsonb,
  add column created_by uuid references users (id) on delete set null;
