import { expect, test } from "vitest";
import { type BadRandom, badRandom, FUZZ_REQUESTS, NAMES, TEXTS } from "#lib/api/rest/bad-requests.fixture";
import { callRest } from "#lib/api/rest/rest.fixture";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

// Rate limits would answer before the code under test does. Limits are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";
process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "paused", status: "paused" });
const runId = String(
  (await callRest("POST", "/actions/greet/run", { key, body: { input: { name: "Ada" } } })).body.run_id,
);

const HEADERS = [
  "x-correlation-id",
  "idempotency-key",
  "traceparent",
  "content-type",
  "prefer",
  "accept",
  "content-encoding",
];

const PATHS = [
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
];

function makeRequest({ below, pick, isRare, text, value, spoil }: BadRandom) {
  const id = isRare(0.3) ? pick([runId, uuidv7(), "greet"]) : text().toWellFormed();
  const query = Array.from({ length: below(4) }, () => [pick(NAMES), text().toWellFormed()]);
  const headers = isRare(0.5) ? { [pick(HEADERS)]: text().replace(/[^\t\x20-\xff]/g, "") } : {};
  const method = pick(["GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH"]);
  const bodies = [
    () => value(),
    () => ({ input: value(1), [pick(NAMES)]: value(3) }),
    () => ({ input: { name: text(), [pick([...NAMES, ...TEXTS])]: value(2) } }),
  ];
  const body = method === "GET" || isRare(0.1) ? undefined : spoil(JSON.stringify(pick(bodies)()));
  return {
    method,
    path: `${pick(PATHS).replace(":id", encodeURIComponent(id))}${query.length ? `?${new URLSearchParams(query)}` : ""}`,
    call: { key: isRare(0.97) ? key : text().replace(/[^\x20-\x7e]/g, ""), headers, body },
  };
}

test(`${FUZZ_REQUESTS} bad requests: every one gets an answer in JSON, none gets a 5xx, and a refused one creates no run`, async () => {
  const random = badRandom();
  const statuses = new Map<number, number>();
  for (let n = 0; n < FUZZ_REQUESTS; n += 1) {
    const { method, path, call } = makeRequest(random);
    const answer = await callRest(method, path, call);
    const told = `request ${n}: ${method} ${path.slice(0, 200)} ${String(call.body).slice(0, 300)}`;
    expect(answer.status, told).toBeLessThan(500);
    if (answer.status >= 400)
      expect(answer.body, told).toMatchObject({ error: expect.any(String), code: expect.any(String) });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  // The requests must reach every layer. If the first layer refused them all, the test would prove nothing.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 202, 400, 401, 404, 405, 409]));
  const { rows } = await db().query("select count(*)::int as runs from runs");
  expect(rows[0].runs).toBe(1 + (statuses.get(202) ?? 0));
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});
