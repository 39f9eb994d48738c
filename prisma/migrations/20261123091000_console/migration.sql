-- Without a default, adding a column changes only the catalog, however many rows there are. Null in almost every row.
alter table execution_events add column console json;
