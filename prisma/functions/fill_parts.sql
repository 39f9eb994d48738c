-- fill_parts: returns the JSON text of a payload whose large values are stored once: its texts, and between them the values
-- that its numbers name by their places in `large`, from 1. Null if the payload has no parts.
--
-- Locks: none.
-- Called by: expand_journal, `lib/domain/journal/append-events`.
-- SQL because: it is a part of those statements.
create or replace function fill_parts(parts json, large text[]) returns text language sql immutable strict parallel safe as $$
  select string_agg(
      case json_typeof(p.part) when 'number' then large[(p.part #>> '{}')::integer] else p.part #>> '{}' end, ''
      order by p.place)
    from json_array_elements(parts) with ordinality as p (part, place)
$$;
