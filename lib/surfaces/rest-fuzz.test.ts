import { beforeAll, expect, test } from "vitest";
import { addAction } from "#lib/actions/action.fixture";
import { SCOPES } from "#lib/contract/scopes";
import { useTestDatabase } from "#lib/db/test-database";
import { addKey } from "#lib/keys/key.fixture";
import { uuidv7 } from "#lib/support/ids";
import { callRest } from "#lib/surfaces/rest.fixture";
import { addWorkspace } from "#lib/workspaces/workspace.fixture";

// Limits would answer instead of what is tested here. They are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";
process.env.RUNS_PER_USER_PER_HOUR = "0";

useTestDatabase();

/** One number decides the whole sequence; a failing request is found again by its place in it. */
const SEED = 20_261_121;
const REQUESTS = 2_000;

let key: string;
let runId: string;
beforeAll(async () => {
  const workspace = await addWorkspace();
  key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
  await addAction(workspace, { slug: "greet" });
  await addAction(workspace, { slug: "paused", status: "paused" });
  runId = String((await callRest("POST", "/actions/greet/run", { key, body: { input: { name: "Ada" } } })).body.run_id);
});

/** mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const TEXTS = [
  "",
  " ",
  "a",
  "null",
  "true",
  "0",
  "-1",
  "1e400",
  "NaN",
  "greet",
  "paused",
  "\u0000",
  "\ud800",
  "\udc00\ud800",
  "ключ",
  "👩‍👩‍👧",
  "'; drop table runs; --",
  "{{action_input.name}}",
  "../../etc/passwd",
  "%",
  "%%",
  "\\",
  "\n",
  "x".repeat(5_000),
  "__proto__",
  "constructor",
  "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "ada@lovelace.example",
  "9".repeat(400),
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "-000001-01-01T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "accepted,failed",
  "steps",
  "events",
  "asc",
  "all",
  "bm90aGluZw",
  "🦊".repeat(100),
];
const NAMES = [
  "limit",
  "cursor",
  "status",
  "source",
  "q",
  "order",
  "action_slug",
  "correlation_id",
  "resume_from_run_id",
  "created_after",
  "created_before",
  "include",
  "steps",
  "run_id",
  "slug",
  "input",
  "dry_run",
  "idempotency_key",
  "workflow_id",
  "decision",
  "approved",
  "comment",
  "approval_id",
  "__proto__",
  "constructor",
  "toString",
  "name",
  "count",
  "",
];
const HEADERS = [
  "x-correlation-id",
  "idempotency-key",
  "traceparent",
  "content-type",
  "prefer",
  "accept",
  "content-encoding",
];

function makeRequest(random: () => number) {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const value = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 4 ? 5 : 8));
    if (kind < 2) return pick(TEXTS);
    if (kind === 2) return pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 1e-320]);
    if (kind === 3) return pick([true, false, null]);
    if (kind === 4) return [];
    if (kind === 5) return Array.from({ length: Math.floor(random() * 5) }, () => value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: Math.floor(random() * 5) }, () => [pick([...NAMES, ...TEXTS]), value(depth + 1)]),
    );
  };
  /** Breaks JSON text in the ways that text is broken. */
  const spoil = (text: string): string | Uint8Array => {
    const at = Math.floor(random() * text.length);
    switch (Math.floor(random() * 8)) {
      case 0:
        return text.slice(0, at);
      case 1:
        return (
          text.slice(0, at) +
          pick(["\u0000", "\\u0000", "\\ud800", '"', "{", "]", ",", "1e400", "\ufeff"]) +
          text.slice(at)
        );
      case 2:
        return new Uint8Array([...Buffer.from(text.slice(0, at)), 0xff, 0xfe, ...Buffer.from(text.slice(at))]);
      case 3:
        return `${'{"input":'.repeat(1 + Math.floor(random() * 200))}${text}`;
      default:
        return text;
    }
  };
  const path = pick([
    "/actions",
    "/actions/:id",
    "/actions/:id/run",
    "/actions/greet/run",
    "/actions/greet/run",
    "/runs",
    "/runs/:id",
    "/runs/:id/approve",
    "/runs/:id/cancel",
    "/:id",
  ]);
  const id = random() < 0.3 ? pick([runId, uuidv7(), "greet"]) : pick(TEXTS).toWellFormed();
  const query = Array.from({ length: Math.floor(random() * 4) }, () => [pick(NAMES), pick(TEXTS).toWellFormed()]);
  const headers: Record<string, string> = {};
  if (random() < 0.5) headers[pick(HEADERS)] = pick(TEXTS).replace(/[^\t\x20-\xff]/g, "");
  const method = pick(["GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH"]);
  const bodies = [
    () => value(0),
    () => ({ input: value(1), [pick(NAMES)]: value(3) }),
    () => ({ input: { name: pick(TEXTS), [pick([...NAMES, ...TEXTS])]: value(2) } }),
  ];
  const body = method === "GET" || random() < 0.1 ? undefined : spoil(JSON.stringify(pick(bodies)()));
  return {
    method,
    path: `${path.replace(":id", encodeURIComponent(id))}${query.length ? `?${new URLSearchParams(query)}` : ""}`,
    call: { key: random() < 0.97 ? key : pick(TEXTS).replace(/[^\x20-\x7e]/g, ""), headers, body },
  };
}

test(`${REQUESTS} bad requests: every one is answered in JSON, none with a 5xx`, async () => {
  const random = randomOf(SEED);
  const statuses = new Map<number, number>();
  for (let n = 0; n < REQUESTS; n += 1) {
    const { method, path, call } = makeRequest(random);
    const answer = await callRest(method, path, call);
    const told = `request ${n} of seed ${SEED}: ${method} ${path.slice(0, 200)} ${String(call.body).slice(0, 300)}`;
    expect(answer.status, told).toBeLessThan(500);
    if (answer.status >= 400)
      expect(answer.body, told).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  // The sequence reaches every layer; were it to stop at the first, it would prove nothing.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 202, 400, 401, 404, 405, 409]));
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});
