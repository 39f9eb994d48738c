import { describe, expect, test } from "vitest";
import { callRest } from "#lib/api/rest/rest.fixture";
import type { ActionObject } from "#lib/contract/action/action";
import { addAction, addRelease, TEST_SCHEMA } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "first", name: "Send invoice", description: "100% billing" });
await addAction(workspace, { slug: "second", name: "Refund" });
await addAction(workspace, { slug: "third", name: "Greet" });
await addAction(workspace, { slug: "paused", status: "paused" });
await addAction(workspace, { slug: "archived", status: "archived" });
await addAction(workspace, { slug: "unreleased", isReleased: false });
await addAction(await addWorkspace(), { slug: "foreign" });

const slugsOf = (body: Record<string, unknown>) => (body.data as ActionObject[]).map((action) => action.slug);
const list = (query = "") => callRest("GET", `/actions${query}`, { key });

describe("GET /actions", () => {
  test("lists the active actions of the workspace, newest first, in the list envelope", async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(slugsOf(body)).toEqual(["third", "second", "first"]);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect((body.data as ActionObject[])[2]).toEqual({
      slug: "first",
      name: "Send invoice",
      description: "100% billing",
      status: "active",
      approval_policy: "never",
      release_version: 1,
      workflow_id: expect.any(String),
      inputSchema: TEST_SCHEMA,
      outputSchema: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    });
  });

  test.each([
    ["?status=paused", ["paused"]],
    ["?status=archived", ["archived"]],
    ["?status=all", ["archived", "paused", "third", "second", "first"]],
    ["?order=asc", ["first", "second", "third"]],
    ["?q=refu", ["second"]],
    ["?q=THIRD", ["third"]],
    ["?q=%25", ["first"]],
    ["?q=_", []],
    ["?unknown=1", ["third", "second", "first"]],
  ])("%s", async (query, slugs) => {
    expect(slugsOf((await list(query)).body)).toEqual(slugs);
  });

  test("paginates without gaps or repetitions, in both directions", async () => {
    for (const order of ["asc", "desc"]) {
      const seen: string[] = [];
      let cursor: unknown = null;
      do {
        const { body } = await list(`?limit=2&status=all&order=${order}${cursor ? `&cursor=${cursor}` : ""}`);
        seen.push(...slugsOf(body));
        cursor = body.next_cursor;
        expect(body.has_more).toBe(cursor !== null);
      } while (cursor);
      expect(seen).toHaveLength(5);
      expect(new Set(seen).size).toBe(5);
    }
  });

  test.each([
    ["limit", "?limit=0"],
    ["limit", "?limit=101"],
    ["limit", "?limit=1.5"],
    ["limit", "?limit=many"],
    ["limit", "?limit="],
    ["status", "?status=deleted"],
    ["order", "?order=up"],
    ["cursor", "?cursor=abc"],
    ["cursor", "?cursor=%00"],
    ["q", "?q=%00"],
    ["q", `?q=${"x".repeat(201)}`],
    ["limit", "?limit=5&limit=6"],
  ])("names %s if it is invalid: %s", async (field, query) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "BAD_REQUEST", error: expect.stringMatching(new RegExp(`^${field}:`)) });
  });

  test("a cursor is valid only with the filters it was created with", async () => {
    const { next_cursor: cursor } = (await list("?limit=1")).body;
    expect((await list(`?limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await list(`?limit=2&cursor=${cursor}`)).status).toBe(200);
    expect((await list(`?limit=1&status=all&cursor=${cursor}`)).status).toBe(400);
    expect((await list(`?limit=1&order=asc&cursor=${cursor}`)).status).toBe(400);
  });
});

describe("GET /actions/:slug", () => {
  test("returns examples that satisfy the schema and the last ten releases, newest first", async () => {
    const action = await addAction(workspace, { slug: "versioned" });
    for (let version = 2; version <= 12; version += 1) await addRelease(db(), workspace, action, version);
    const { status, body } = await callRest("GET", "/actions/versioned", { key });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      slug: "versioned",
      release_version: 12,
      inputSchema: TEST_SCHEMA,
      examples: [{ name: "text", count: 1 }, { name: "text" }],
    });
    expect((body.releases as { version: number }[]).map((release) => release.version)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
    expect((body.releases as unknown[])[0]).toEqual({
      version: 12,
      deployed_at: expect.stringMatching(/Z$/),
      breaking: false,
    });
    await db().query("update actions set status = 'archived' where id = $1", [action.actionId]);
  });

  test.each(["paused", "archived"])("a %s action is returned with its status", async (status) => {
    expect(await callRest("GET", `/actions/${status}`, { key })).toMatchObject({ status: 200, body: { status } });
  });

  test.each(["unknown", "unreleased", "foreign", "UPPER", "a%20b", "%00", "..", "a_b", "x".repeat(300), "%D0%B0"])(
    "%s is a 404, the same as for any unknown slug",
    async (slug) => {
      const { status, body } = await callRest("GET", `/actions/${slug}`, { key });
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: slug === ".." ? "NOT_FOUND" : "ACTION_NOT_FOUND" });
    },
  );
});

describe("a key that is limited to some actions", () => {
  test("can list, read and run only those", async () => {
    const { raw_key: limited } = await addKey(workspace, { actionSlugs: ["second"] });
    expect(slugsOf((await callRest("GET", "/actions", { key: limited })).body)).toEqual(["second"]);
    expect((await callRest("GET", "/actions/second", { key: limited })).status).toBe(200);
    expect(await callRest("GET", "/actions/first", { key: limited })).toMatchObject({
      status: 404,
      body: { code: "ACTION_NOT_FOUND" },
    });
    const body = { input: { name: "Ada" } };
    const other = await callRest("POST", "/actions/first/run", { key, body });
    expect((await callRest("POST", "/actions/first/run", { key: limited, body })).status).toBe(404);
    const own = await callRest("POST", "/actions/second/run", { key: limited, body });
    expect(own.status).toBe(202);
    expect((await callRest("GET", `/runs/${own.body.run_id}`, { key: limited })).status).toBe(200);
    expect((await callRest("GET", `/runs/${other.body.run_id}`, { key: limited })).status).toBe(404);
    const { body: runs } = await callRest("GET", "/runs", { key: limited });
    expect((runs.data as { action_slug: string }[]).map((run) => run.action_slug)).toEqual(["second"]);
  });
});
