import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Creator, countCreated, creationOf, newSlug } from "#lib/api/mcp/creations.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { type McpTestServer, startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { useCuttableDatabase } from "#lib/platform/db/cut-commits.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { eventually } from "#lib/support/eventually.fixture";
import { uuidv7 } from "#lib/support/ids";

const database = useCuttableDatabase();
/** Part of the statement that keeps an answer, so of the transaction that creates. */
const KEEPS = "update call_keys set answer_sealed";

let server: McpTestServer;
let creator: Creator;
beforeAll(async () => {
  server = await startMcpServer(OPERATIONS);
  const owner = await newWorkspace("ann");
  creator = { url: server.url, rawKey: await newKey(owner, ...SCOPES), owner };
});
afterAll(() => server.close());

const call = (name: string, args: JsonObject) => callTool(server.url, creator.rawKey, name, args);
const count = (table: string) => countCreated(table, creator.owner);
const isReplay = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
/** Makes the key look as if its call had started so long ago. */
const age = (key: unknown, seconds: number) =>
  db().query("update call_keys set created_at = now() - make_interval(secs => $2) where key = $1", [key, seconds]);

const TOOLS = OPERATIONS.filter(({ creates }) => creates).map(({ name }) => name);

describe.each(TOOLS)("the tool %s", (name) => {
  test("creates one thing if the process is cut off between its commit and its answer", async () => {
    const { table, args } = creationOf(name);
    const sent = { ...(await args(creator)), idempotency_key: uuidv7() };
    const before = await count(table);
    const cuts = database.cuts();
    database.cut("after", KEEPS);
    const lost = await call(name, sent);
    expect(database.cuts()).toBe(cuts + 1);
    expect(lost).toMatchObject({ isError: true, body: { code: "SERVICE_UNAVAILABLE" } });
    // At any later time: at once, and when an open key would be taken over.
    const again = await call(name, sent);
    expect(again).toMatchObject({ isError: false });
    expect(isReplay(again)).toBe(true);
    await age(sent.idempotency_key, 61);
    expect((await call(name, sent)).body).toEqual(again.body);
    expect(await count(table)).toBe(before + 1);
  });

  test("creates nothing if it is cut off before its commit, and one thing when the key is free again", async () => {
    const { table, args } = creationOf(name);
    const sent = { ...(await args(creator)), idempotency_key: uuidv7() };
    const before = await count(table);
    database.cut("before", KEEPS);
    expect(await call(name, sent)).toMatchObject({ isError: true, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(await count(table)).toBe(before);
    await age(sent.idempotency_key, 30);
    const early = await call(name, sent);
    expect(early).toMatchObject({ isError: true, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
    expect(early.hint).toBe("Wait at least 1 seconds before the next call.");
    await age(sent.idempotency_key, 61);
    const later = await call(name, sent);
    expect(later).toMatchObject({ isError: false });
    expect((await call(name, sent)).body).toEqual(later.body);
    expect(await count(table)).toBe(before + 1);
  });
});

test.each([1, 2])("a workflow is created and published once if commit %i of the call is cut off", async (nth) => {
  const before = [await count("workflows"), await count("workflow_versions")];
  const sent = { name: "new", definition: greeting(), deploy: { slug: newSlug("p") }, idempotency_key: uuidv7() };
  database.cut("after", KEEPS, nth);
  expect(await call("create_workflow", sent)).toMatchObject({ isError: true, body: { code: "SERVICE_UNAVAILABLE" } });
  const again = await call("create_workflow", sent);
  expect(again.body).toMatchObject({ deployed: { version: 1, slug: sent.deploy.slug } });
  expect(await call("create_workflow", sent)).toMatchObject({ body: again.body });
  expect([await count("workflows"), await count("workflow_versions")]).toEqual(before.map((rows) => rows + 1));
});

test("a call that is slow enough to lose its key creates nothing", async () => {
  const { table, args } = creationOf("build_connector");
  const sent = { ...(await args(creator)), idempotency_key: uuidv7() };
  const before = await count(table);
  const waiting = async (calls: number) => {
    const { rows } = await db().query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'",
    );
    expect(rows[0].n).toBe(calls);
  };
  const { workspaceId } = creator.owner;
  const [slow, second] = await transaction(async (tx) => {
    // Builds of a workspace wait for each other here.
    await tx.query({ text: "select from workspaces where id = $1 for no key update", values: [workspaceId] });
    const first = call("build_connector", sent);
    await eventually(() => waiting(1));
    await age(sent.idempotency_key, 61);
    const next = call("build_connector", sent);
    await eventually(() => waiting(2));
    return [first, next];
  });
  expect(await slow).toMatchObject({ isError: true, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
  expect(await second).toMatchObject({ isError: false });
  expect((await call("build_connector", sent)).body).toEqual((await second).body);
  expect(await count(table)).toBe(before + 1);
});
