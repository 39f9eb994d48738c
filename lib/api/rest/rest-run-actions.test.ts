import { describe, expect, test } from "vitest";
import { callRest, expectCommonHeaders, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

// The tests create more than a hundred runs; a test of its own counts against the limit.
process.env.RUNS_PER_USER_PER_HOUR = "100000";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "paused" });
await db().query("update actions set status = 'paused' where slug = 'paused'");

interface Item {
  run: RunObject | null;
  error: JsonObject | null;
  idempotent_replayed: boolean;
  retry_after: number | null;
}

const ada = { input: { name: "Ada" } };

async function start(body: unknown, headers: Record<string, string> = {}, slug = "greet", as = key) {
  const answer = await callRest("POST", `/actions/${slug}/runs`, { key: as, body, headers });
  return { ...answer, items: (answer.body.data ?? []) as Item[] };
}
const countRuns = async () => (await db().query("select count(*)::int as n from runs")).rows[0].n;

describe("POST /actions/:slug/runs", () => {
  test("answers 202 with a run or an error for each item, in the order of the items", async () => {
    const answer = await start({ items: [ada, { input: { name: 7 } }, { ...ada, dry_run: true }] });
    expectCommonHeaders(answer);
    expectRateHeaders(answer);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      data: [
        {
          run: expect.objectContaining({ status: "accepted", input: { name: "Ada", count: 1 }, steps: [] }),
          error: null,
          idempotent_replayed: false,
          retry_after: null,
        },
        {
          run: null,
          error: {
            error: "The input does not match the action's schema.",
            code: "INPUT_VALIDATION_FAILED",
            reason: "input_validation_failed",
            details: [{ field: "name", pointer: "/name", code: "type", message: expect.any(String) }],
          },
          idempotent_replayed: false,
          retry_after: null,
        },
        {
          run: expect.objectContaining({ status: "succeeded", dry_run: true }),
          error: null,
          idempotent_replayed: false,
          retry_after: null,
        },
      ],
      refused: 1,
    });
    const run = answer.items[0]?.run;
    expect((await callRest("GET", `/runs/${run?.run_id}`, { key })).body).toEqual(run);
  });

  test("counts as one request, however many runs it starts", async () => {
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get("x-ratelimit-remaining"));
    const first = await start({ items: [ada] });
    const second = await start({ items: Array.from({ length: LIMITS.batchRuns }, () => ada) });
    expect(second.items).toHaveLength(100);
    expect(second.body.refused).toBe(0);
    expect(remaining(first) - remaining(second)).toBe(1);
  });

  test.each([
    ["101 items", { items: Array.from({ length: LIMITS.batchRuns + 1 }, () => ada) }, /^items: .*100/],
    ["an empty list", { items: [] }, /^items: .*1/],
    ["no list", {}, /^items: /],
    ["an object instead of a list", { items: ada }, /^items: /],
    ["no body", undefined, /^items: /],
  ])("refuses %s as a whole, and starts nothing", async (_, body, message) => {
    const before = await countRuns();
    const answer = await start(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "BAD_REQUEST", error: expect.stringMatching(message) });
    expect(await countRuns()).toBe(before);
  });

  test.each([
    ["null", null, "(body)"],
    ["text", "Ada", "(body)"],
    ["a list", [], "(body)"],
    ["a correlation_id with a space", { ...ada, correlation_id: "a b" }, "correlation_id"],
    ["a correlation_id that is a number", { ...ada, correlation_id: 7 }, "correlation_id"],
    ["an idempotency_key that is too long", { ...ada, idempotency_key: "x".repeat(256) }, "idempotency_key"],
    ["a dry_run that is text", { ...ada, dry_run: "true" }, "dry_run"],
  ])("refuses an item that is %s, and runs the others", async (_, item, field) => {
    const { status, items, body } = await start({ items: [ada, item, ada] });
    expect(status).toBe(202);
    expect(items.map(({ run }) => run?.status)).toEqual(["accepted", undefined, "accepted"]);
    expect(items[1]?.error).toMatchObject({ code: "BAD_REQUEST", error: expect.stringContaining(`${field}:`) });
    expect(body.refused).toBe(1);
  });

  test.each([
    ["an unknown slug", "missing", 404, "ACTION_NOT_FOUND"],
    ["a paused action", "paused", 409, "ACTION_UNAVAILABLE"],
  ])("answers %s like a single call", async (_, slug, status, code) => {
    expect(await start({ items: [ada] }, {}, slug)).toMatchObject({ status, body: { code } });
    expect(await start("no JSON", {}, slug)).toMatchObject({ status, body: { code } });
  });

  test("refuses a body above the limit of a request, whatever the number of items", async () => {
    const text = "x".repeat(LIMITS.bodyBytes / 50);
    const answer = await start({ items: Array.from({ length: 50 }, () => ({ input: { name: text } })) });
    expect(answer).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  });

  test("names the item of a value that cannot be stored, and starts nothing", async () => {
    const before = await countRuns();
    const answer = await start({ items: [ada, { input: { name: "\u0000" } }] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: expect.stringContaining("items.1.input.name") });
    expect(await countRuns()).toBe(before);
  });

  test("uses the correlation id of an item, else that of the body, else that of the header, else the run's id", async () => {
    const id = `batch/${uuidv7()}`;
    const own = { ...ada, correlation_id: "own" };
    const byField = await start({ items: [own, ada], correlation_id: id }, { "x-correlation-id": "header" });
    expect(byField.items.map(({ run }) => run?.correlation_id)).toEqual(["own", id]);
    const byHeader = await start({ items: [own, ada] }, { "x-correlation-id": "header" });
    expect(byHeader.items.map(({ run }) => run?.correlation_id)).toEqual(["own", "header"]);
    expect(byHeader.headers.get("x-correlation-id")).toBe("header");
    const without = await start({ items: [ada] });
    expect(without.items[0]?.run?.correlation_id).toBe(without.items[0]?.run?.run_id);
  });

  test("makes a key for each item of the Idempotency-Key of the call, so that a repeated call starts nothing", async () => {
    const headers = { "idempotency-key": uuidv7() };
    const body = { items: [ada, ada, { ...ada, idempotency_key: uuidv7() }] };
    const first = await start(body, headers);
    expect(new Set(first.items.map(({ run }) => run?.run_id)).size).toBe(3);
    const before = await countRuns();
    const again = await start(body, headers);
    expect(again.items.map((item) => item.idempotent_replayed)).toEqual([true, true, true]);
    expect(again.items.map(({ run }) => run)).toEqual(first.items.map(({ run }) => run));
    expect(await countRuns()).toBe(before);
    const field = await start({ ...body, idempotency_key: headers["idempotency-key"] });
    expect(field.items.map((item) => item.idempotent_replayed)).toEqual([true, true, true]);
    const changed = await start({ items: [{ input: { name: "Grace" } }, ada] }, headers);
    expect(changed.items.map(({ error }) => error?.code)).toEqual(["IDEMPOTENCY_KEY_REUSED", undefined]);
  });

  test.each([
    ["idempotency_key", { "idempotency-key": "" }],
    ["idempotency_key", { "idempotency-key": "a b" }],
    ["correlation_id", { "x-correlation-id": "a b" }],
  ])("refuses an invalid %s of the call as a whole: %j", async (field, headers) => {
    const before = await countRuns();
    const answer = await start({ items: [ada] }, headers as unknown as Record<string, string>);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(`${field}:`) } });
    expect(await countRuns()).toBe(before);
  });

  test("refuses the items for which the key of the call becomes too long", async () => {
    const { items } = await start({ items: [ada] }, { "idempotency-key": "x".repeat(254) });
    expect(items[0]?.error).toMatchObject({ code: "BAD_REQUEST", error: expect.stringMatching(/^idempotency_key:/) });
  });

  test("a value that is not an object becomes an empty input, and unknown fields are ignored", async () => {
    const { items } = await start({ items: [{ input: [1] }, {}, { ...ada, unknown: 1 }], unknown: 1, slug: "paused" });
    expect(items.map(({ error }) => error?.code)).toEqual([
      "INPUT_VALIDATION_FAILED",
      "INPUT_VALIDATION_FAILED",
      undefined,
    ]);
  });

  test("a key that is limited to other actions gets the answer of an unknown slug", async () => {
    const limited = (await addKey(workspace, { actionSlugs: ["paused"] })).raw_key;
    expect(await start({ items: [ada] }, {}, "greet", limited)).toMatchObject({
      status: 404,
      body: { code: "ACTION_NOT_FOUND" },
    });
  });

  test("the runs of a limited key keep the key's list of actions", async () => {
    const limited = (await addKey(workspace, { actionSlugs: ["greet"] })).raw_key;
    const { items } = await start({ items: [ada] }, {}, "greet", limited);
    const { rows } = await db().query("select allowed_action_slugs from runs where id = $1", [items[0]?.run?.run_id]);
    expect(rows).toEqual([{ allowed_action_slugs: ["greet"] }]);
  });

  test("the traceparent of the call is that of every run", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { items } = await start({ items: [ada, ada] }, { traceparent });
    const ids = items.map(({ run }) => run?.run_id);
    const { rows } = await db().query("select distinct traceparent from runs where id = any($1)", [ids]);
    expect(rows).toEqual([{ traceparent }]);
  });

  test("two workspaces with the same slug and the same keys start their own runs", async () => {
    const other = await addWorkspace();
    await addAction(other, { slug: "greet" });
    const theirKey = (await addKey(other)).raw_key;
    const body = { items: [{ ...ada, idempotency_key: uuidv7() }] };
    const [mine, theirs] = [await start(body), await start(body, {}, "greet", theirKey)];
    expect(theirs.items[0]).toMatchObject({ idempotent_replayed: false, error: null });
    const foreign = await callRest("GET", `/runs/${mine.items[0]?.run?.run_id}`, { key: theirKey });
    expect(foreign.status).toBe(404);
  });

  test("other methods are refused", async () => {
    const answer = await callRest("GET", "/actions/greet/runs", { key });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  });
});
