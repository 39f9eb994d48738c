-- Why a step was skipped although it was reached. Null in almost every row; without a default, only the catalog changes.
alter table execution_events add column skip_reason text;
