-- jsonb sorts the keys of objects. What a step sends has its keys in the order in which they were written, so each
-- definition is stored as json as well, next to the jsonb that queries read. Changing the type of the columns instead
-- would break the statements of a release that still runs during the upgrade, and rewrite `runs` under an exclusive
-- lock. Without a default, adding a column changes only the catalog. Null in older rows, and in runs of versions.
alter table workflows add column draft_written json;
alter table workflow_versions add column definition_written json;
alter table runs add column definition_written json;
