import { setTimeout as sleep } from "node:timers/promises";
import { answerOf } from "#bench/stage/outside";
import { ApiError } from "#lib/contract/error/api-error";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { addAction } from "#lib/domain/actions/action.fixture";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { STANDARD_SECRET } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { type Db, db } from "#lib/platform/db/pool";

/** A published action whose runs call the outside server. */
export interface Workload {
  workspace: TestWorkspace;
  slug: string;
  /** The nodes that call the outside server. */
  httpNodes: string[];
  /** All nodes. Each must have completed in a run that succeeded. */
  nodes: string[];
}

const HTTP_NODES = ["s1", "s2", "s3", "s4", "s5"];

/**
 * Publishes five calls with pure steps between them. Each call sends the results of the steps before it. One value is
 * redacted in the journal.
 */
export function fiveSteps(url: string): Promise<Workload> {
  return publish(fiveStepsDefinition(url));
}

export function fiveStepsDefinition(url: string): Definition {
  const nodes = [
    node("in", "action_input", { properties: [{ name: "n", type: "integer", required: true }] }),
    callNode(url, "s1", { n: "{{in.n}}" }),
    node("t1", "transform", { fields: [{ name: "to", value: "{{s1.body.email}}" }] }),
    callNode(url, "s2", { to: "{{t1.to}}" }),
    callNode(url, "s3", { after: "{{s2.body.token}}" }),
    node("t2", "transform", { fields: [{ name: "seen", value: "{{s1.body.token}} {{s3.body.token}}" }] }),
    callNode(url, "s4", { seen: "{{t2.seen}}" }),
    callNode(url, "s5", { after: "{{s4.body.token}}", to: "{{s1.body.email}}" }),
    result({ n: "{{in.n}}", seen: "{{t2.seen}}", last: "{{s5.body.token}}", to: "{{t1.to}}" }),
  ];
  return { nodes, edges: edges("in>s1", "s1>t1", "t1>s2", "s2>s3", "s3>t2", "t2>s4", "s4>s5", "s5>out") };
}

/**
 * Returns the expected output of a `fiveSteps` run. The real output differs if a step got another step's answer, or a
 * redacted one.
 */
export function expectedOutput(runId: string, n: number): object {
  const { token: first, email: to } = answerOf(runId, "s1");
  return { n, seen: `${first} ${answerOf(runId, "s3").token}`, last: answerOf(runId, "s5").token, to };
}

/** Publishes an action with one call. */
export function oneStep(url: string): Promise<Workload> {
  const nodes = [
    node("in", "action_input", { properties: [{ name: "n", type: "integer", required: true }] }),
    callNode(url, "s1", { n: "{{in.n}}" }),
    result({ n: "{{in.n}}", last: "{{s1.body.token}}" }),
  ];
  return publish({ nodes, edges: edges("in>s1", "s1>out") });
}

/**
 * Returns a workflow that a webhook starts, and that calls the outside server. The server recognizes a delivery by the id
 * in the body of the call (bench/faults/webhook-violations.ts).
 */
export function webhookDefinition(url: string): Definition {
  const nodes = [
    node("start", "trigger", { kind: "webhook", scheme: "standard", secret: STANDARD_SECRET }),
    node("seen", "transform", { fields: [{ name: "id", value: "{{trigger.output.body.id}}" }] }),
    callNode(url, "call", { id: "{{seen.id}}" }),
  ];
  return { nodes, edges: edges("start>seen", "seen>call") };
}

/** Returns a step that sends the body to the outside server. */
export function callNode(url: string, id: string, body: Record<string, string>): GraphNode {
  const params = { method: "POST", url: `${url}/${id}`, body };
  return node(id, "connector", { connector: "http", operation: "request", params });
}

function result(values: Record<string, string>): GraphNode {
  const types: Record<string, string> = { n: "integer" };
  const properties = Object.entries(values).map(([name, value]) => ({ name, type: types[name] ?? "string", value }));
  return node("out", "return_output", { properties });
}

async function publish(definition: Definition): Promise<Workload> {
  const workspace = await addWorkspace();
  const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
  const { slug } = await addAction(workspace, {
    definition,
    inputSchema: { ...inputSchema, required: [...inputSchema.required] },
  });
  return { workspace, slug, ...nodesOf(definition) };
}

/** Returns the ids of all nodes, and the ids of the nodes that call the outside server. */
export function nodesOf(definition: Definition): Pick<Workload, "nodes" | "httpNodes"> {
  const nodes = definition.nodes.map((item) => item.id);
  return { nodes, httpNodes: nodes.filter((id) => HTTP_NODES.includes(id)) };
}

/**
 * Calls the action like the API does until the run is acknowledged. While the database is down, it retries with the
 * same idempotency key, as a careful caller would.
 * @returns the run's id
 */
export async function acceptRun({ workspace, slug }: Workload, n: number): Promise<string> {
  for (;;) {
    try {
      const call = { ...workspace, slug, input: { n }, dryRun: false, source: "action" as const };
      const { run } = await runAction({ ...call, idempotencyKey: `call-${n}` });
      return run.run_id;
    } catch (error) {
      if (error instanceof ApiError && error.code !== "SERVICE_UNAVAILABLE" && error.code !== "INTERNAL_ERROR") {
        throw error;
      }
      await sleep(50);
    }
  }
}

interface Stream {
  /** The maximum number of runs to accept. */
  count: number;
  /** The maximum number of runs in flight at the same time. */
  backlogMax: number;
  /** Returns about how many of the runs have ended. */
  ended(): number;
  /** Stops accepting when aborted. */
  over?: AbortSignal;
}

/** Accepts runs, a few at a time. */
export async function acceptRuns(
  workload: Workload,
  { count, backlogMax, ended, over }: Stream,
  onAccepted: (runId: string, n: number) => void,
): Promise<void> {
  let next = 0;
  const callers = Array.from({ length: 4 }, async () => {
    while (next < count && !over?.aborted) {
      if (next - ended() >= backlogMax) {
        await sleep(5);
        continue;
      }
      const n = next;
      next += 1;
      onAccepted(await acceptRun(workload, n), n);
    }
  });
  await Promise.all(callers);
}

/** @returns the number of runs that have not ended */
export async function countOpenRuns(on: Db = db()): Promise<number> {
  const { rows } = await on.query<{ open: number }>({
    text: "select count(*)::int as open from runs where status in ('accepted', 'running', 'waiting_for_approval')",
  });
  return rows[0]?.open ?? 0;
}

/**
 * Waits until every run has ended, or until no run ended for `patienceMs`.
 * @returns the number of stuck runs
 */
export async function waitForRuns(patienceMs: number, on: Db = db()): Promise<number> {
  let last = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    const open = await countOpenRuns(on).catch(() => last);
    if (open === 0) return 0;
    if (open !== last) movedAt = performance.now();
    last = open;
    if (performance.now() - movedAt > patienceMs) return open;
    await sleep(100);
  }
}
