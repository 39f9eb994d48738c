-- A constant default changes only the catalog, however many rows there are.
alter table workspaces add column redact_outputs boolean not null default false;

-- Null in almost every row.
alter table runs add column output_sealed bytea;
