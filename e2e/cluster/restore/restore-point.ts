import pg from "pg";
import type { OutsideCall } from "#bench/chaos/outside";
import type { SentDelivery } from "#bench/chaos/webhook-sender";
import type { Load } from "#e2e/cluster/load";
import type { Site } from "#e2e/cluster/restore/open-source";

/** What was acknowledged before the moment that a backup restores to. */
export interface RestorePoint {
  name: "dump" | "moment" | "archive";
  /** By the clock of the database, which is also that of this machine. */
  at: Date;
  accepted: Map<string, number>;
  approved: Map<string, number>;
  deliveries: SentDelivery[];
}

/** Notes what the load has been promised by now. */
export async function markPoint(name: RestorePoint["name"], load: Load, databaseUrl: string): Promise<RestorePoint> {
  // First what was acknowledged, then the time: a promise between the two may be kept, but is not counted on.
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

/** The calls that each outside server got, by idempotency key. */
export type Calls = Record<"actions" | "events", Map<string, OutsideCall[]>>;

/** Returns the calls so far, and lets the outside count from zero. */
export function takeCalls({ actions, events }: Site["outside"]): Calls {
  const taken = { actions: new Map(actions.calls), events: new Map(events.calls) };
  actions.calls.clear();
  events.calls.clear();
  return taken;
}

/** Adds up the calls of two instances. */
export function joinCalls(
  first: Iterable<[string, OutsideCall[]]>,
  second: Iterable<[string, OutsideCall[]]>,
): Map<string, OutsideCall[]> {
  const joined = new Map(first);
  for (const [key, calls] of second) joined.set(key, [...(joined.get(key) ?? []), ...calls]);
  return joined;
}
