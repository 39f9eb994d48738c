-- True if a caller gets the sealed original of the output. Null if the output was not sealed, and for a run that ended in a
-- workspace that redacts outputs, or before this column: its callers get `output`. A new column without a default changes
-- only the catalog, however many rows there are.
alter table runs add column serves_sealed_output boolean;

-- The comment as it was written. Null if `comment` is that already: nothing in it had to be redacted.
alter table approvals add column comment_sealed bytea;
