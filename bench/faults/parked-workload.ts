import { callNode } from "#bench/faults/workload";
import type { Definition } from "#lib/contract/workflow/graph";
import { addAction } from "#lib/domain/actions/action.fixture";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";

export const PARK_DAYS = 7;
const DAY_SECONDS = 86_400;
/**
 * Half of the runs wait in a delay, a quarter for a callback that arrives, and a quarter for a callback that does not.
 */
export const PARK_KINDS = ["delay", "callback", "delay", "expiry"] as const;
export type ParkKind = (typeof PARK_KINDS)[number];

export interface ParkingWorkload {
  workspace: TestWorkspace;
  slugs: Record<ParkKind, string>;
}

export function parkKindOf(n: number): ParkKind {
  return PARK_KINDS[n % PARK_KINDS.length] ?? "delay";
}

/** Publishes one action per kind of wait. Each action calls the outside server when its wait is over. */
export async function parkingWorkload(url: string): Promise<ParkingWorkload> {
  const workspace = await addWorkspace();
  const start = node("in", "action_input", {
    properties: [
      { name: "n", type: "integer", required: true },
      { name: "seconds", type: "number", required: true },
    ],
  });
  const end = node("out", "return_output", { properties: [{ name: "n", type: "integer", value: "{{in.n}}" }] });
  const publish = async (...rest: Parameters<typeof between>) => {
    const inputSchema = {
      type: "object" as const,
      properties: { n: { type: "integer" as const }, seconds: { type: "number" as const } },
      required: ["n", "seconds"],
    };
    return (await addAction(workspace, { definition: between(...rest), inputSchema })).slug;
  };
  const between = (nodes: Definition["nodes"], ...paths: string[]): Definition => ({
    nodes: [start, ...nodes, end],
    edges: edges(...paths),
  });
  const delay = node("wait", "delay", { seconds: "{{in.seconds}}" });
  const callback = node("wait", "wait_for_callback", {
    expires_seconds: "{{in.seconds}}",
    schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  });
  const tell = callNode(url, "tell", { address: "{{wait.callback_url}}" });
  const slugs = {
    delay: await publish([delay, callNode(url, "woke", {})], "in>wait", "wait>woke", "woke>out"),
    callback: await publish(
      [tell, callback, callNode(url, "woke", { n: "{{wait.body.n}}" })],
      ...["in>tell", "tell>wait", "wait.received>woke", "woke>out"],
    ),
    expiry: await publish(
      [tell, callback, callNode(url, "woke", {})],
      ...["in>tell", "tell>wait", "wait.expired>woke", "woke>out"],
    ),
  };
  return { workspace, slugs };
}

/**
 * Starts a run that waits for seven days plus a part of the window, so that the ends of all waits are spread over the
 * window.
 * @returns the run's id
 */
export async function startParkedRun(
  { workspace, slugs }: ParkingWorkload,
  { n, count, windowSeconds }: { n: number; count: number; windowSeconds: number },
): Promise<string> {
  const kind = parkKindOf(n);
  // Callbacks that arrive get more time, so that none of them can expire first.
  const seconds = PARK_DAYS * DAY_SECONDS + (kind === "callback" ? 10 * DAY_SECONDS : (n / count) * windowSeconds);
  const { run } = await runAction({
    ...workspace,
    slug: slugs[kind],
    input: { n, seconds },
    dryRun: false,
    source: "action",
    idempotencyKey: `parked-${n}`,
  });
  return run.run_id;
}
