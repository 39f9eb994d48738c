import { parentPort, workerData } from "node:worker_threads";
import type { AttackSize, Fact } from "#bench/abuse/attack";
import { type AttackName, attackNamed } from "#bench/abuse/attacks";
import { createTally } from "#bench/abuse/tally";

/**
 * Runs the attacker in its own thread, so that the attack's computing does not delay the victim's clock. The thread
 * prepares the attack, reports the victim's workspace, and starts and ends the attack on request.
 */
export interface AttackerData {
  attack: AttackName;
  dataDir: string;
  url: string;
  size: AttackSize;
}

export type AttackerMessage =
  | { kind: "ready"; victimWorkspaceId: string; attackerWorkspaceId: string }
  | { kind: "ended"; facts: Fact[]; answers: [string, number][] };

const { attack, dataDir, url, size } = workerData as AttackerData;
const port = parentPort;
if (!port) throw new Error("attacker.ts runs in a thread");

const { load, scopes, settings } = attackNamed(attack);
Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL: "", PUBLIC_BASE_URL: "", ...settings });
const { readSettings } = await import("#scripts/admin/read-settings");
const { prepareEnvironment } = await import("#scripts/admin/prepare-environment");
await prepareEnvironment(readSettings());
// The use cases read the environment when they load.
const { makeTenants, publishAction } = await import("#bench/abuse/make-tenants");
const { PURE, WITH_CODE } = await import("#bench/load/workflows");
const { CODE_SLUG, PURE_SLUG } = await import("#bench/abuse/probe");

const open = await load();
const tenants = await makeTenants(scopes);
await publishAction(tenants.victim, PURE_SLUG, PURE);
await publishAction(tenants.victim, CODE_SLUG, WITH_CODE);
const tally = createTally();
const strike = await open({ ...tenants, url, size, tally });

const over = new AbortController();
let running: Promise<void> | undefined;
port.on("message", async (order: "strike" | "stop") => {
  if (order === "strike") {
    running = strike.run(over.signal);
    return;
  }
  over.abort();
  await running;
  const facts = (await strike.facts?.()) ?? [];
  post({ kind: "ended", facts, answers: tally.entries() });
});
post({
  kind: "ready",
  victimWorkspaceId: tenants.victim.workspaceId,
  attackerWorkspaceId: tenants.attacker.workspaceId,
});

function post(message: AttackerMessage): void {
  port?.postMessage(message);
}
