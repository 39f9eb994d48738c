-- What a person sorts workflows by; a handful of short words each.
alter table workflows add column tags text[] not null default '{}';
