-- new_uuidv7: returns a UUIDv7 of this moment.
--
-- Locks: none.
-- Called by: emit_event, `lib/domain/outbound-events/endpoints/ensure-mail-endpoints`.
-- SQL because: rows that a statement of the database creates need ids.
create or replace function new_uuidv7() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;
