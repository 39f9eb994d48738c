-- The direction in which the draft is drawn. Not part of its definition, like its notes: no version holds it.
alter table workflows add column canvas_orientation text not null default 'vertical'
  check (canvas_orientation in ('vertical', 'horizontal'));
