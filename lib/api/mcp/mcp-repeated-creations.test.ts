import { afterAll, describe, expect, test } from "vitest";
import { countCreated, creationOf, newDraft, newSlug } from "#lib/api/mcp/creations.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callTool, newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { deleteOldKeys } from "#lib/domain/repeats/delete-old-keys";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const ann = await newWorkspace("ann");
const key = await newKey(ann, ...SCOPES);
afterAll(() => server.close());

const call = (name: string, args: JsonObject, rawKey = key) => callTool(server.url, rawKey, name, args);
const isReplay = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
const count = (table: string, owner = ann) => countCreated(table, owner);
const creator = () => ({ url: server.url, rawKey: key, owner: ann });
const TOOLS = OPERATIONS.filter(({ creates }) => creates).map(({ name }) => name);

describe.each(TOOLS)("the tool %s", (name) => {
  test("creates one thing, however often a call with a key is repeated", async () => {
    const { table, args } = creationOf(name);
    const sent = { ...(await args(creator())), idempotency_key: uuidv7() };
    const before = await count(table);
    const first = await call(name, sent);
    expect(first).toMatchObject({ isError: false });
    expect(isReplay(first)).toBe(false);
    const again = await call(name, sent);
    expect(again.body).toEqual(first.body);
    expect(isReplay(again)).toBe(true);
    expect(await count(table)).toBe(before + 1);
  });

  test("creates one thing of two calls at once", async () => {
    const { table, args } = creationOf(name);
    const sent = { ...(await args(creator())), idempotency_key: uuidv7() };
    const before = await count(table);
    const answers = await Promise.all([call(name, sent), call(name, sent)]);
    expect(await count(table)).toBe(before + 1);
    for (const { isError, body } of answers) if (isError) expect(body.code).toBe("IDEMPOTENCY_IN_PROGRESS");
    expect(answers.some(({ isError }) => !isError)).toBe(true);
  });

  test("refuses another payload with the same key", async () => {
    const { table, args } = creationOf(name);
    const idempotency_key = uuidv7();
    await call(name, { ...(await args(creator())), idempotency_key });
    const other = {
      ...(await args(creator())),
      ...(name === "create_workflow" ? { name: "other" } : {}),
      idempotency_key,
    };
    const before = await count(table);
    expect(await call(name, other)).toMatchObject({ isError: true, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
    expect(await count(table)).toBe(before);
  });
});

describe("an idempotency key", () => {
  test("is free again after a refused call", async () => {
    const idempotency_key = uuidv7();
    const refused = { workflow_id: uuidv7(), slug: "no-such", idempotency_key };
    expect((await call("deploy_workflow", refused)).body.code).toBe("NOT_FOUND");
    const mended = { workflow_id: await newDraft(ann), slug: newSlug("m"), idempotency_key };
    const answer = await call("deploy_workflow", mended);
    expect(answer.isError).toBe(false);
    expect(isReplay(answer)).toBe(false);
  });

  test("means something else in another workspace and for another tool", async () => {
    const idempotency_key = uuidv7();
    const bob = await newWorkspace("bob");
    const args = { name: "same", definition: greeting(), idempotency_key };
    const first = await call("create_workflow", args);
    const foreign = await call("create_workflow", args, await newKey(bob, ...SCOPES));
    expect(isReplay(foreign)).toBe(false);
    expect(foreign.body.workflow_id).not.toBe(first.body.workflow_id);
    const other = { workflow_id: first.body.workflow_id, slug: newSlug("o"), idempotency_key };
    expect(await call("deploy_workflow", other)).toMatchObject({ isError: false });
  });

  test("still publishes what a repeated create_workflow could not publish before", async () => {
    const slug = newSlug("p");
    const args = { name: "new", definition: greeting(), deploy: { slug: "greet" }, idempotency_key: uuidv7() };
    const refused = await call("create_workflow", args);
    expect(refused.body.deploy_refused.code).toBe("SLUG_TAKEN");
    await db().query("update actions set slug = $2 where workspace_id = $1 and slug = 'greet'", [
      ann.workspaceId,
      slug,
    ]);
    const again = await call("create_workflow", args);
    expect(again.body.workflow_id).toBe(refused.body.workflow_id);
    expect(again.body.deployed).toMatchObject({ version: 1, slug: "greet" });
  });

  test.each(["", "a b", "ä", "x".repeat(256)])("is refused if it is not visible ASCII: %j", async (idempotency_key) => {
    const refused = await call("create_workflow", { name: "new", idempotency_key });
    expect(refused).toMatchObject({ isError: true, body: { code: "BAD_REQUEST" } });
    expect(refused.body.details[0].field).toBe("idempotency_key");
  });

  test("is deleted with its answer after a day", async () => {
    const args = { name: "old", definition: greeting(), idempotency_key: uuidv7() };
    await call("create_workflow", args);
    const left = () => db().query("select from call_keys where key = $1", [args.idempotency_key]);
    await deleteOldKeys();
    expect((await left()).rowCount).toBe(1);
    await db().query("update call_keys set created_at = now() - interval '25 hours' where key = $1", [
      args.idempotency_key,
    ]);
    await deleteOldKeys();
    expect((await left()).rowCount).toBe(0);
  });

  test("keeps no text of the answer readable at rest", async () => {
    const args = { name: "grace@example.com", definition: greeting(), idempotency_key: uuidv7() };
    await call("create_workflow", args);
    const { rows } = await db().query("select answer_sealed from call_keys where key = $1", [args.idempotency_key]);
    expect(rows[0].answer_sealed.toString("latin1")).not.toContain("grace@example.com");
  });
});

test("every tool that is not read-only takes a key, or only changes what exists", () => {
  const without = OPERATIONS.filter(({ mcp, creates }) => mcp && !mcp.readOnly && !creates);
  expect(without.filter(({ input }) => !("idempotency_key" in input.shape)).map(({ name }) => name)).toEqual([
    "approve_run",
    "cancel_run",
    "delete_workflow",
  ]);
});
