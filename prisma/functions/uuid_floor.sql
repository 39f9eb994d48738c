-- uuid_floor: returns the smallest UUIDv7 of a moment.
--
-- Locks: none.
-- Called by: missing_partitions, `lib/domain/runs/retain/delete-old-runs`,
-- `lib/domain/runs/retain/drop-old-partitions`, `lib/platform/metrics/gauges`.
-- SQL because: partition bounds and the queries about them are computed in the database.
create or replace function uuid_floor(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;
