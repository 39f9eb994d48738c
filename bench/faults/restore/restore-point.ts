import pg from "pg";
import type { Load } from "#bench/faults/machines/load";
import type { Site } from "#bench/faults/restore/open-source";
import type { SentDelivery } from "#bench/faults/webhook-sender";
import type { OutsideCall } from "#bench/stage/outside";

/** Everything that was acknowledged before the time that a backup restores to. */
export interface RestorePoint {
  name: "dump" | "moment" | "archive";
  /** The time by the database's clock, which is also this machine's clock. */
  at: Date;
  accepted: Map<string, number>;
  approved: Map<string, number>;
  deliveries: SentDelivery[];
}

/** Records what has been acknowledged to the load so far. */
export async function markPoint(name: RestorePoint["name"], load: Load, databaseUrl: string): Promise<RestorePoint> {
  // Copies the acknowledgments first and reads the time after that. A promise made between the two may be kept, but the
  // drill does not require it.
  const promised = {
    accepted: new Map(load.accepted),
    approved: new Map(load.approved),
    deliveries: [...load.deliveries],
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date }>("select clock_timestamp() as at");
    return { name, at: rows[0]?.at ?? new Date(), ...promised };
  } finally {
    await client.end();
  }
}

/** The calls that each outside server received, by idempotency key. */
export type Calls = Record<"actions" | "events", Map<string, OutsideCall[]>>;

/** Returns the calls so far, and resets the outside servers. */
export function takeCalls({ actions, events }: Site["outside"]): Calls {
  const taken = { actions: new Map(actions.calls), events: new Map(events.calls) };
  actions.calls.clear();
  events.calls.clear();
  return taken;
}

/** Merges the calls of two instances. */
export function joinCalls(
  first: Iterable<[string, OutsideCall[]]>,
  second: Iterable<[string, OutsideCall[]]>,
): Map<string, OutsideCall[]> {
  const joined = new Map(first);
  for (const [key, calls] of second) joined.set(key, [...(joined.get(key) ?? []), ...calls]);
  return joined;
}
