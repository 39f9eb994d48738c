-- What people write beside the steps of a draft. Not part of its definition: no version holds it, and no run reads it.
alter table workflows add column canvas_notes jsonb not null default '[]';
