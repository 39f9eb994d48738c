import { log } from "#lib/platform/config/log";
import { json } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

interface CountedRequest {
  key_id: string;
  operation: string;
  status: number;
  requests: number;
}

const FLUSH_MS = 5_000;
let pending = new Map<string, CountedRequest>();
let timer: NodeJS.Timeout | null = null;

/**
 * Counts a request of a key, for the list of keys and its details. Counts are kept in memory: no request waits for
 * them, and a process that dies loses those it has not written yet.
 * @param operation empty if the request reached none
 * @param status the HTTP status of the answer, or its equivalent; 200 for every success
 */
export function countRequest(keyId: string, operation: string, status: number): void {
  const name = `${keyId} ${operation} ${status}`;
  const known = pending.get(name);
  if (known) known.requests += 1;
  else pending.set(name, { key_id: keyId, operation, status, requests: 1 });
  timer ??= setTimeout(() => void flushRequests(), FLUSH_MS).unref();
}

const addRequests = defineStatement({
  name: "add_key_requests",
  params: { rows: json<CountedRequest[]>() },
  // In one order, so that two processes never deadlock. Keys may have been deleted meanwhile.
  sql: `insert into key_requests (key_id, hour, operation, status, requests)
        select c.key_id, date_trunc('hour', now()), c.operation, c.status, c.requests
        from json_to_recordset($1::json) as c (key_id uuid, operation text, status smallint, requests integer)
        join api_keys k on k.id = c.key_id
        order by c.key_id, c.operation, c.status
        on conflict (key_id, hour, operation, status) do update
          set requests = key_requests.requests + excluded.requests, last_at = excluded.last_at`,
});

/** Writes the counts since the last call. Counts that cannot be written are dropped, so that they do not pile up. */
export async function flushRequests(): Promise<void> {
  if (timer) clearTimeout(timer);
  timer = null;
  const rows = [...pending.values()];
  if (rows.length === 0) return;
  pending = new Map();
  try {
    await addRequests.run(db(), { rows });
  } catch (error) {
    log.warn({ err: error, counted: rows.length }, "the use of keys could not be written");
  }
}
