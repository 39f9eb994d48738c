import { describe, expect, test, vi } from "vitest";
import { type Answer, callRest, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addEvents, setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "held", approvalPolicy: "always" });

const get = (path: string, headers: Record<string, string> = {}) => callRest("GET", path, { key, headers });
const tagOf = ({ headers }: Answer) => headers.get("etag") ?? "";

async function start(slug = "greet"): Promise<string> {
  const { body } = await callRest("POST", `/actions/${slug}/run`, { key, body: { input: { name: "Ada" } } });
  return `/runs/${body.run_id}`;
}

/** A run with a journal, and the tag of the first answer. */
async function startKnown(slug?: string) {
  const path = await start(slug);
  const runId = path.slice("/runs/".length);
  await addEvents(workspace.workspaceId, runId, [
    { kind: "step_started", nodeId: "start", inputData: { name: "Ada" } },
  ]);
  const first = await get(path);
  expect(first.status).toBe(200);
  return { path, runId, tag: tagOf(first), body: first.body };
}

/** The statements that write counts every few seconds. No call waits for them. */
const COUNTS = ["add_key_requests", "add_to_counters"];

/** What the only statement of a call returns. */
async function onlyRow(call: () => Promise<Answer>) {
  const query = vi.spyOn(db(), "query");
  const answer = await call();
  const names = query.mock.calls.map(([statement]) => (statement as { name?: string }).name ?? "");
  const results = query.mock.results.filter((_, index) => !COUNTS.includes(names[index] ?? ""));
  query.mockRestore();
  expect(results).toHaveLength(1);
  const result = (await results[0]?.value) as unknown as { rows: Record<string, unknown>[] };
  return { answer, row: result.rows[0] ?? {} };
}

describe("a poll of a run", () => {
  test.each(["", "?steps=summary", "?include=events"])(
    "takes one statement, which also spends the request, once the key and the version are known: %s",
    async (query) => {
      const { path, tag } = await startKnown();
      const { answer, row } = await onlyRow(() => get(path + query));
      expect(answer.status).toBe(200);
      expect(answer.body.steps).toHaveLength(1);
      expect(tagOf(answer)).toBe(tag);
      expect(row).toMatchObject({ state: "active", is_allowed: true, events: expect.any(Array) });
    },
  );

  test("that knows the tag gets 304 without a body, and its statement does not read the journal", async () => {
    const { path, tag } = await startKnown();
    const { answer, row } = await onlyRow(() => get(path, { "if-none-match": tag }));
    expect(answer).toMatchObject({ status: 304, body: {} });
    expect(tagOf(answer)).toBe(tag);
    expect(row).toMatchObject({ is_known: true, events: null });
    expect(answer.headers.get("x-correlation-id")).toBe(path.slice("/runs/".length));
    expectRateHeaders(answer);
  });

  test("spends one request, with and without a tag that it knows", async () => {
    const { path, tag, runId } = await startKnown();
    const remaining = async (headers = {}) => Number((await get(path, headers)).headers.get("x-ratelimit-remaining"));
    const before = await remaining();
    expect(await remaining({ "if-none-match": tag })).toBe(before - 1);
    expect(await remaining()).toBe(before - 2);
    await setRun(runId, "cancelled");
  });

  test.each([
    ["one of several tags", (tag: string) => `"other", ${tag}, W/"more"`],
    ["the same tag as a strong one", (tag: string) => tag.replace("W/", "")],
    ["any tag", () => "*"],
  ])("gets 304 if it knows %s", async (_, known) => {
    const { path, tag } = await startKnown();
    expect((await get(path, { "if-none-match": known(tag) })).status).toBe(304);
  });

  test.each([
    ["another tag", () => 'W/"0123456789abcdef"'],
    ["a part of the tag", (tag: string) => `${tag.slice(0, -3)}"`],
    ["no tag", () => ""],
  ])("gets the run if it knows %s", async (_, known) => {
    const { path, tag, body } = await startKnown();
    const answer = await get(path, { "if-none-match": known(tag) });
    expect([answer.status, answer.body]).toEqual([200, body]);
  });
});

test.each(["", "?steps=summary"])(
  "PostgreSQL plans a poll once per connection, and not each time: %s",
  async (query) => {
    const { path } = await startKnown();
    // Most polls use the same connection. The first five of each connection are planned for their values.
    const plans = await eventually(async () => {
      await get(path + query);
      const { rows } = await db().query(
        "select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where name = $1",
        [query === "" ? "take_requests_full" : "take_requests_without_payloads"],
      );
      expect(rows[0].custom + rows[0].generic).toBeGreaterThanOrEqual(12);
      return rows[0];
    });
    expect(plans.custom).toBe(5);
  },
);

test("a poll finds its run by id, also with a plan that was made while there were few runs", async () => {
  const { path } = await startKnown();
  const runId = path.slice("/runs/".length);
  const { rows } = await eventually(async () => {
    await get(path);
    const { rows: made } = await db().query(
      "select from pg_prepared_statements where name = 'take_requests_full' and generic_plans > 0",
    );
    expect(made).toHaveLength(1);
    return db().query(`explain execute take_requests_full ('{${runId}}', '{}', '{${runId}}', '{0}', '{null}')`);
  });
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan.match(/on runs r\b/g)).toHaveLength(1);
  expect(plan).toMatch(/Index Scan using runs_pkey on runs r\b|Seq Scan on runs r\b/);
});

describe("the tag of a run changes", () => {
  test("with an entry of the journal", async () => {
    const { path, runId, tag } = await startKnown();
    await addEvents(workspace.workspaceId, runId, [{ kind: "step_completed", nodeId: "start", outputData: {} }]);
    const answer = await get(path, { "if-none-match": tag });
    expect([answer.status, answer.body.steps]).toMatchObject([200, [{ status: "completed" }]]);
    expect(tagOf(answer)).not.toBe(tag);
  });

  test("with the run's own row", async () => {
    const { path, runId, tag } = await startKnown();
    await setRun(runId, "failed");
    const answer = await get(path, { "if-none-match": tag });
    expect([answer.status, answer.body.status]).toEqual([200, "failed"]);
    expect(tagOf(answer)).not.toBe(tag);
  });

  test("with one of its approvals", async () => {
    const { path, runId, tag } = await startKnown("held");
    await db().query("update approvals set message = 'Please look' where run_id = $1", [runId]);
    const answer = await get(path, { "if-none-match": tag });
    expect([answer.status, answer.body.approval]).toMatchObject([200, { message: "Please look" }]);
    expect(tagOf(answer)).not.toBe(tag);
  });
});

describe("a tag that is known does not open", () => {
  test("a run of another workspace", async () => {
    const { path, tag } = await startKnown();
    const other = (await addKey(await addWorkspace())).raw_key;
    for (const known of [tag, "*"]) {
      const answer = await callRest("GET", path, { key: other, headers: { "if-none-match": known } });
      expect([answer.status, answer.body.code, answer.headers.get("etag")]).toEqual([404, "RUN_NOT_FOUND", null]);
    }
  });

  test("a run of an action that the key may not see", async () => {
    const { path, tag } = await startKnown();
    const limited = (await addKey(workspace, { actionSlugs: ["held"] })).raw_key;
    const answer = await callRest("GET", path, { key: limited, headers: { "if-none-match": tag } });
    expect([answer.status, answer.body.code]).toEqual([404, "RUN_NOT_FOUND"]);
  });

  test("a run to a key without the scope", async () => {
    const { path, tag } = await startKnown();
    const scopes = ["actions:read" as const];
    const answer = await callRest("GET", path, {
      key: (await addKey(workspace, { scopes })).raw_key,
      headers: { "if-none-match": tag },
    });
    expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
  });
});

test("a request over the key's limit reads no run", async () => {
  const free = await addWorkspace("free");
  await addAction(free, { slug: "greet" });
  const { key_id: keyId, raw_key: spent } = await addKey(free);
  const call = { key: spent, body: { input: { name: "Ada" } } };
  const { body } = await callRest("POST", "/actions/greet/run", call);
  await db().query("update rate_windows set newest = oldest + 59 where key_id = $1", [keyId]);
  await db().query(
    `insert into rate_hits select w.key_id, n, clock_timestamp() from rate_windows w, generate_series(w.oldest, w.newest) n
     where w.key_id = $1 on conflict do nothing`,
    [keyId],
  );
  const { answer, row } = await onlyRow(() => callRest("GET", `/runs/${body.run_id}`, { key: spent }));
  expect([answer.status, answer.body.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
  expect(row).toMatchObject({ is_allowed: false, id: null, input: null });
});

test("a wait for a run that has not ended continues, although its tag is known", async () => {
  const { path, runId, tag } = await startKnown();
  const waiting = get(path, { "if-none-match": tag, prefer: "wait=20" });
  await setRun(runId, "failed");
  const answer = await waiting;
  expect([answer.status, answer.body.status]).toEqual([200, "failed"]);
});

describe("a list", () => {
  test.each(["/actions", "/actions/greet", "/runs?limit=3", "/runs?include=steps", "/openapi.json"])(
    "that did not change is answered with 304: %s",
    async (path) => {
      const first = await get(path);
      expect(tagOf(first)).toMatch(/^W\/"[\w-]+"$/);
      const again = await get(path, { "if-none-match": tagOf(first) });
      expect(again).toMatchObject({ status: 304, body: {} });
      expectRateHeaders(again);
    },
  );

  test("has another tag after a run was started", async () => {
    const tag = tagOf(await get("/runs?limit=3"));
    await start();
    const answer = await get("/runs?limit=3", { "if-none-match": tag });
    expect(answer.status).toBe(200);
    expect(tagOf(answer)).not.toBe(tag);
  });
});

test("an error and the answer to a POST have no tag", async () => {
  expect((await get("/runs/unknown", { "if-none-match": "*" })).headers.get("etag")).toBeNull();
  const call = { key, body: { input: { name: "Ada" } }, headers: { "if-none-match": "*" } };
  const accepted = await callRest("POST", "/actions/greet/run", call);
  expect([accepted.status, accepted.headers.get("etag")]).toEqual([202, null]);
});
