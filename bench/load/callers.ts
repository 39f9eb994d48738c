import { randomUUID } from "node:crypto";
import type { Product } from "#bench/stage/product";
import { insertKey } from "#lib/domain/keys/insert-key";
import { uuidv7 } from "#lib/support/ids";

/** A few less than the runs that one user may start in an hour (contract, Limits). */
const CALLS_PER_USER = 95;

/**
 * Creates enough callers, each a user with a key, to keep `calls` calls below every limit.
 * @returns the headers of the next call. The callers take turns.
 */
export async function makeCallers(
  { db, workspaceId }: Pick<Product, "db" | "workspaceId">,
  calls: number,
): Promise<() => Record<string, string>> {
  const headers: Record<string, string>[] = [];
  for (let count = Math.ceil(calls / CALLS_PER_USER); headers.length < count; ) {
    const userId = uuidv7();
    await db.query("insert into users (id, email, name, password_hash) values ($1, $2, 'Caller', 'none')", [
      userId,
      `${randomUUID()}@example.com`,
    ]);
    const { rawKey } = await insertKey(db, {
      workspaceId,
      userId,
      name: "caller",
      scopes: ["actions:run"],
      expiresAt: null,
      actionSlugs: null,
      rotatedFromId: null,
    });
    headers.push({ authorization: `Bearer ${rawKey}`, "content-type": "application/json" });
  }
  let next = 0;
  return () => headers[next++ % headers.length] ?? {};
}
