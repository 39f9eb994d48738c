import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Tenants } from "#bench/faults/machines/tenants";
import { decide, startRun } from "#bench/faults/restore/client";
import type { Site } from "#bench/faults/restore/open-source";
import { openAdmin } from "#bench/stage/administer";
import { createConnection } from "#lib/domain/connections/create-connection";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";

/** The data that the drill prepares in addition to the load of several machines. */
export interface Extras {
  /** An action whose step sends a connection's token. */
  connected: { slug: string; key: string; token: string };
  /** Runs that have waited for a decision since before the first backup. */
  waiting: string[];
}

const SLUG = "connected";
const WAITING = 6;

/** Creates the extras. This process must have the instance's settings, because it seals the credentials. */
export async function addExtras(site: Site, tenants: Tenants): Promise<Extras> {
  const waiting: string[] = [];
  const { slug, key } = tenants.asking;
  for (let n = 0; n < WAITING; n += 1) {
    // Negative numbers, which the load does not use.
    const { body } = await startRun(site.url, { slug, key, n: -1 - n, idempotencyKey: `waiting-${n}` });
    waiting.push(String(body.run_id));
  }
  return { waiting, connected: await addConnected(site, tenants) };
}

async function addConnected({ env, folder, outside }: Site, { login }: Tenants): Promise<Extras["connected"]> {
  const admin = openAdmin({ ...env, DATA_DIR: join(folder, "admin") }, folder);
  const token = randomBytes(12).toString("hex");
  const workspaceId = await admin.addWorkspace(SLUG, login.email);
  const { rows } = await db().query<{ user_id: string }>({
    text: "select user_id from workspace_members where workspace_id = $1",
    values: [workspaceId],
  });
  const userId = rows[0]?.user_id ?? "";
  const { url } = outside.actions;
  const { connection } = await createConnection({
    workspaceId,
    userId,
    actor: { type: "user", id: userId, name: "Owner" },
    name: "Service",
    connector: "http",
    auth: "bearer",
    fields: { token, hosts: url },
    acceptFailure: true,
  });
  const params = { method: "POST", url: `${url}/token`, body: { n: "{{in.n}}" } };
  const data = { connector: "http", operation: "request", connection_id: connection.connection_id, params };
  const nodes = [
    node("in", "action_input", { properties: [{ name: "n", type: "integer", required: true }] }),
    node("call", "connector", data),
    node("out", "return_output", { properties: [{ name: "n", type: "integer", value: "{{in.n}}" }] }),
  ];
  await admin.deploy(SLUG, SLUG, { nodes, edges: edges("in>call", "call>out") }, "--slug", SLUG);
  const key = await admin.addKey(SLUG, SLUG, "actions:read,actions:run,runs:read");
  return { slug: SLUG, key, token };
}

/**
 * Approves the first half of the runs that have waited since before the backup, and every second one of the others.
 * Rejects the rest.
 */
export async function decideAll(
  url: string,
  { key }: Tenants["asking"],
  { waiting, open }: { waiting: readonly string[]; open: readonly string[] },
): Promise<{ rejected: string[]; refused: string[] }> {
  const rejected = waiting.slice(waiting.length / 2);
  const refused: string[] = [];
  for (const runId of open) {
    const decision = rejected.includes(runId) ? "rejected" : "approved";
    const { status, body } = await decide(url, { key, runId, decision });
    if (status !== 200) refused.push(`${decision} ${runId}: ${status} ${JSON.stringify(body)}`);
  }
  return { rejected, refused };
}
