import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "#bench/faults/machines/session";
import type { Tenants } from "#bench/faults/machines/tenants";
import { planDeliveries, type SentDelivery, sendDelivery } from "#bench/faults/webhook-sender";
import { seededRandom } from "#lib/support/seeded-random.fixture";

/** A record of everything that the load did, for the verdict. */
export interface Load {
  /** Acknowledged runs of the five-step action, each with the number in its input. */
  accepted: Map<string, number>;
  /** Acknowledged runs of the slow action, each with the number in its input. */
  slow: Map<string, number>;
  /** The number of calls of the same action over MCP. */
  mcpCalls: number;
  /** Runs that waited for a decision and were approved, each with the number in its input. */
  approved: Map<string, number>;
  deliveries: SentDelivery[];
  /** Answers that no caller may get: a different run than before, a different output, or a refusal. */
  surprises: string[];
  watchers: { events: number; connections: number };
  /** Starts runs of the slow action. Resolves when each is acknowledged. */
  startSlow(count: number): Promise<void>;
  /** Ends the load. Resolves when its last call is answered. */
  stop(): Promise<void>;
}

interface LoadOptions {
  url: string;
  tenants: Tenants;
  session: Session;
  seed: number;
}

/** Enough callers to keep every process busy, and few enough to run the whole cluster on two cores. */
const REST_CALLERS = 3;
const SLOW_CALLERS = 10;
const CALL_EVERY_MS = 250;
const WAIT_SECONDS = 10;
const RETRY_MS = 200;
const WATCHERS = 2;
const ATTEMPT_TIMEOUT_MS = 30_000;
/** More deliveries than any run of the harness sends. */
const DELIVERIES = 100_000;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Starts callers over REST and MCP, a sender of webhooks, an approver, and watchers of events. */
export function startLoad({ url, tenants, session, seed }: LoadOptions): Load {
  const over = new AbortController();
  let n = 0;
  const load: Recorded = {
    accepted: new Map(),
    slow: new Map(),
    mcpCalls: 0,
    approved: new Map(),
    deliveries: [],
    surprises: [],
    watchers: { events: 0, connections: 0 },
  };
  const repeat = async (work: () => Promise<void>, everyMs = CALL_EVERY_MS) => {
    while (!over.signal.aborted) {
      await work();
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const { stepsKeys, steps, slow, asking } = tenants;
  const plan = planDeliveries(DELIVERIES, seededRandom(seed).next);
  const working = [
    ...Array.from({ length: REST_CALLERS }, () =>
      repeat(() => callOverRest(load, { url, slug: steps.slug, key: stepsKeys.rest, n: n++ })),
    ),
    repeat(() => callOverMcp(load, { url, slug: steps.slug, key: stepsKeys.mcp, n: n++ })),
    repeat(() => callAndApprove(load, { url, slug: asking.slug, key: asking.key, n: n++ })),
    repeat(async () => {
      const delivery = plan.shift();
      if (delivery) load.deliveries.push(await sendDelivery(`${url}${tenants.events.webhookPath}`, delivery));
    }),
    ...Array.from({ length: WATCHERS }, () => repeat(() => watch(load, session, over.signal), RETRY_MS)),
  ];
  return Object.assign(load, {
    startSlow: async (count: number) => {
      const calls = Array.from({ length: count }, () => ({ url, slug: slow.slug, key: slow.key, n: n++ }));
      const callers = Array.from({ length: SLOW_CALLERS }, async () => {
        for (let call = calls.pop(); call; call = calls.pop()) await startRun(load, load.slow, call);
      });
      await Promise.all(callers);
    },
    stop: async () => {
      over.abort();
      await Promise.all(working);
    },
  });
}

type Recorded = Omit<Load, "stop" | "startSlow">;

interface Call {
  url: string;
  slug: string;
  key: string;
  n: number;
}

/** Sends a request until its answer is neither a server failure nor an exceeded limit, as a careful client does. */
async function sendUntilAnswered(url: string, init: RequestInit): Promise<Answer> {
  for (;;) {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS) });
      const text = await answer.text();
      if (answer.status < 500 && answer.status !== 429) {
        return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as Answer["body"]) };
      }
    } catch {
      // The connection was lost. The request is sent again under the same key.
    }
    await sleep(RETRY_MS);
  }
}

function headersOf(key: string, idempotencyKey?: string): Record<string, string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return idempotencyKey === undefined ? headers : { ...headers, "idempotency-key": idempotencyKey };
}

/** @returns the run's id. Null if the call was refused, which is a surprise. */
async function startRun(
  load: Recorded,
  accepted: Map<string, number> | null,
  { url, slug, key, n }: Call,
): Promise<string | null> {
  const called = await sendUntilAnswered(`${url}/api/v1/runtime/actions/${slug}/run`, {
    method: "POST",
    headers: headersOf(key, `call-${n}`),
    body: JSON.stringify({ input: { n } }),
  });
  if (called.status !== 202) {
    surprise(load, `POST run ${n}`, called);
    return null;
  }
  const runId = String(called.body.run_id);
  accepted?.set(runId, n);
  return runId;
}

/** Starts a run. Every second call also waits for the run's end. */
async function callOverRest(load: Recorded, call: Call): Promise<void> {
  const { url, key, n } = call;
  const runId = await startRun(load, load.accepted, call);
  if (runId === null || n % 2 === 0) return;
  const read = await sendUntilAnswered(`${url}/api/v1/runtime/runs/${runId}`, {
    headers: { ...headersOf(key), prefer: `wait=${WAIT_SECONDS}` },
  });
  if (read.status !== 200 || read.body.run_id !== runId) surprise(load, `GET run ${n}`, read);
}

/**
 * Calls the action over MCP. The request header declares to the balancer what the tool's argument declares to the
 * product.
 */
async function callOverMcp(load: Recorded, { url, slug, key, n }: Call): Promise<void> {
  const idempotencyKey = `call-${n}`;
  const args = { slug, input: { n }, idempotency_key: idempotencyKey, wait_seconds: n % 2 === 0 ? WAIT_SECONDS : 0 };
  const called = await sendUntilAnswered(`${url}/mcp`, {
    method: "POST",
    headers: { ...headersOf(key, idempotencyKey), accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: n,
      method: "tools/call",
      params: { name: "run_action", arguments: args },
    }),
  });
  const { structuredContent, isError } = (called.body.result ?? {}) as {
    structuredContent?: { run_id?: string; error?: { code?: string }; code?: string };
    isError?: boolean;
  };
  const runId = structuredContent?.run_id;
  if (runId !== undefined) {
    load.mcpCalls += 1;
    load.accepted.set(runId, n);
  } else if (
    isError &&
    /SERVICE_UNAVAILABLE|INTERNAL_ERROR|IDEMPOTENCY_IN_PROGRESS/.test(JSON.stringify(called.body))
  ) {
    await sleep(RETRY_MS);
    await callOverMcp(load, { url, slug, key, n });
  } else surprise(load, `MCP call ${n}`, called);
}

/**
 * Starts a run that waits for a decision, and approves it. A decision is final, so the product refuses a repeated one.
 */
async function callAndApprove(load: Recorded, call: Call): Promise<void> {
  const { url, key, n } = call;
  const runId = await startRun(load, null, call);
  if (runId === null) return;
  const decided = await sendUntilAnswered(`${url}/api/v1/runtime/runs/${runId}/approve`, {
    method: "POST",
    headers: headersOf(key),
    body: JSON.stringify({ decision: "approved" }),
  });
  if (decided.status !== 200 && decided.status !== 409) return surprise(load, `approve run ${n}`, decided);
  load.approved.set(runId, n);
}

function surprise(load: Recorded, what: string, { status, body }: Answer): void {
  load.surprises.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

/** Follows the workspace's events like an open page, until the stream ends. */
async function watch(load: Recorded, session: Session, signal: AbortSignal): Promise<void> {
  try {
    const answer = await session.get("/api/stream", signal);
    if (!answer.ok || answer.body === null) return;
    load.watchers.connections += 1;
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      load.watchers.events += chunk.split("event: run_changed").length - 1;
    }
  } catch {
    // The server was stopped or killed. A page would connect again.
  }
}
