import { describe, expect, test } from "vitest";
import { callRest, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "paused", status: "paused" });
await addAction(workspace, { slug: "archived", status: "archived" });
await addAction(workspace, { slug: "unreleased", isReleased: false });

describe("POST /actions/:slug/run refuses", () => {
  const run = (slug: string, body: unknown, more: Parameters<typeof callRest>[2] = {}) =>
    callRest("POST", `/actions/${slug}/run`, { key, body, ...more });

  test.each(["unknown", "Not-A-Slug", "%00", "..%2F..%2Fetc"])(
    "an unknown slug (%s): 404, whatever the body",
    async (slug) => {
      for (const body of [{ input: { name: "Ada" } }, {}, "{broken", "[]"]) {
        const answer = await run(slug, body);
        expect(answer).toMatchObject({ status: 404, body: { code: "ACTION_NOT_FOUND" } });
        expectRateHeaders(answer);
      }
    },
  );

  test.each(["paused", "archived", "unreleased"])("an action that is %s: 409, whatever the body", async (slug) => {
    for (const body of [{ input: { name: "Ada" } }, {}, { input: { name: "Ada" }, dry_run: true }, "{broken"]) {
      expect(await run(slug, body)).toMatchObject({ status: 409, body: { code: "ACTION_UNAVAILABLE" } });
    }
  });

  test.each([
    ["broken JSON", "{"],
    ["a literal", "7"],
    ["null", "null"],
    ["an array", "[]"],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["only whitespace", "   "],
    ["33 levels", `{"input":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["100,000 levels", `{"input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["NUL in a value", '{"input":{"name":"a\\u0000b"}}'],
    ["NUL in a name", '{"input":{"name":"a","b\\u0000":1}}'],
    ["an unpaired high surrogate", '{"input":{"name":"\\ud83d"}}'],
    ["an unpaired low surrogate", '{"input":{"name":"\\ude00"}}'],
    ["a number beyond a double", '{"input":{"name":"a","count":1e400}}'],
  ])("%s: 400", async (_, body) => {
    const answer = await run("greet", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", error: expect.any(String) } });
    expectRateHeaders(answer);
  });

  test("integers beyond 2^53 at any depth, and names each by its pointer in the input", async () => {
    const body = '{"input":{"name":"a","id":8202522731445525542,"lines":[{"sku":-9007199254740993,"n":1e20}]}}';
    const answer = await run("greet", body, { headers: { "idempotency-key": "long" } });
    expect(answer).toMatchObject({ status: 400, body: { code: "INPUT_VALIDATION_FAILED" } });
    expect(answer.body.details).toMatchObject([
      { field: "id", pointer: "/id", code: "unsafe_number" },
      { field: "lines.0.sku", pointer: "/lines/0/sku", code: "unsafe_number" },
    ]);
    const text = await run("greet", body.replace(/-?\d{16,}/g, '"$&"'), { headers: { "idempotency-key": "long" } });
    expect(text.status).toBe(202);
    expect(text.body.input).toMatchObject({ id: "8202522731445525542", lines: [{ sku: "-9007199254740993" }] });
    // The answer to the same key with another number is not the first one.
    expect((await run("greet", body, { headers: { "idempotency-key": "long" } })).status).toBe(400);
  });

  test("an integer beyond 2^53 of one item of a batch, and runs the others", async () => {
    const body =
      '{"items":[{"input":{"name":"a","id":9007199254740993}},{"input":{"name":"b","id":9007199254740991}}]}';
    const answer = await callRest("POST", "/actions/greet/runs", { key, body });
    expect(answer.body).toMatchObject({
      refused: 1,
      data: [
        { run: null, error: { code: "INPUT_VALIDATION_FAILED", details: [{ pointer: "/id" }] } },
        { run: { input: { id: 9007199254740991 } }, error: null },
      ],
    });
  });

  test("values that cannot be stored, and names the field", async () => {
    const answer = await run("greet", '{"input":{"name":"a","list":[1,{"x/y":"\\u0000"}]}}');
    expect(answer.body).toMatchObject({
      error: "input.list.1.x/y: contains NUL or an unpaired surrogate",
      details: [{ field: "input.list.1.x/y", pointer: "/input/list/1/x~1y" }],
    });
  });

  test("nothing that is nested at most 32 levels deep", async () => {
    const nested = `${"[".repeat(30)}${"]".repeat(30)}`;
    expect((await run("greet", `{"input":{"name":"Ada","deep":${nested}}}`)).status).toBe(202);
  });

  test("a body with more than 200,000 values: 413 that names the limit", async () => {
    const many = await run("greet", `{"input":{"name":"Ada","list":[${"[],".repeat(200_000)}0]}}`);
    expect(many).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect(many.body.error).toBe("The body contains more than 200,000 values and names. Split it into smaller parts.");
    expect((await run("greet", `{"input":{"name":"Ada","list":[${"[],".repeat(100_000)}0]}}`)).status).toBe(202);
  });

  test("a body over 1 MiB: 413, also without a content-length; before the key is checked if the size is declared", async () => {
    const fits = JSON.stringify({ input: { name: "x".repeat(1_048_576 - 21) } });
    expect(Buffer.byteLength(fits)).toBe(1_048_576);
    expect((await run("greet", fits)).status).toBe(202);
    expect(await run("greet", `${fits} `)).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    expect((await run("greet", endless)).status).toBe(413);
    expect(sent).toBeLessThan(3 * 1_048_576);
    const claimed = await run("greet", "{}", { key: null, body: "{}", headers: { "content-length": "1048577" } });
    expect(claimed.status).toBe(413);
  });

  test("more than a hundred runs of one user in an hour: 429 with retry-after and no row", async () => {
    const own = await addWorkspace();
    const { raw_key: busy } = await addKey(own);
    await addAction(own, { slug: "greet" });
    const call = () => run("greet", { input: { name: "Ada" } }, { key: busy, body: { input: { name: "Ada" } } });
    const statuses: number[] = [];
    for (let n = 0; n < 100; n += 1) statuses.push((await call()).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const answer = await call();
    expect(answer).toMatchObject({
      status: 429,
      body: { error: "Run limit exceeded (100 per hour)", code: "RATE_LIMIT_EXCEEDED", reason: "user_run_limit" },
    });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(Number(answer.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    const { rows } = await db().query("select count(*)::int as n from runs where workspace_id = $1", [own.workspaceId]);
    expect(rows[0].n).toBe(100);
  });

  test("more runs than the monthly quota: 402", async () => {
    const own = await addWorkspace("free");
    const { raw_key: poor } = await addKey(own);
    await addAction(own, { slug: "greet" });
    await db().query(
      "insert into usage_months values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1000)",
      [own.workspaceId],
    );
    const answer = await run("greet", null, { key: poor, body: { input: { name: "Ada" } } });
    expect(answer).toMatchObject({
      status: 402,
      body: { code: "QUOTA_EXCEEDED", details: { limit: 1000, plan: "free" } },
    });
  });
});
