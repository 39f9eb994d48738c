-- uuid_moment: returns the moment of a UUIDv7, to the millisecond. The reverse of uuid_floor.
--
-- Locks: none.
-- Called by: missing_partitions.
-- SQL because: PostgreSQL has uuid_extract_timestamp only since version 17.
create or replace function uuid_moment(id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || lpad(replace(left(id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0)
$$;
