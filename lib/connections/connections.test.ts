import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addAction } from "#lib/actions/action.fixture";
import { openConnection } from "#lib/connections/open-connection";
import { startProvider, type TestProvider } from "#lib/connectors/llm/provider.fixture";
import type { ApiError } from "#lib/contract/api-error";
import type { ConnectionObject, TestedConnection } from "#lib/contract/connection";
import type { Definition } from "#lib/contract/graph";
import type { Role } from "#lib/contract/roles";
import type { WebOperations } from "#lib/contract/web";
import { tablesWith } from "#lib/db/find-text.fixture";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { invoke } from "#lib/operations/define-operation";
import { OPERATIONS } from "#lib/operations/registry";
import { node } from "#lib/runs/seed-run.fixture";
import { uuidv7 } from "#lib/support/ids";
import { addWorkspace, type TestWorkspace } from "#lib/workspaces/workspace.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
useTestDatabase();

const KEY = "sk-canary-9f8e7d6c5b4a";

let provider: TestProvider;
let workspace: TestWorkspace;
beforeAll(async () => {
  provider = await startProvider(KEY);
});
beforeEach(async () => {
  workspace = await addWorkspace();
});
afterAll(() => provider.close());

/** A member of the workspace asks, as the web application does. */
async function ask<Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"],
  { role = "editor" as Role, who = workspace } = {},
): Promise<WebOperations[Name]["output"]> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller = { kind: "user", role, name: "Ada", ...who } as const;
  return (await invoke(operation, caller, input, { requestId: "r" })) as WebOperations[Name]["output"];
}

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not refused"),
    (error: ApiError) => error,
  );

const openai = (more: Partial<WebOperations["create_connection"]["input"]> = {}) => ({
  connector: "openai",
  auth: "api_key",
  name: "Model server",
  fields: { base_url: `${provider.url}/v1/`, api_key: KEY },
  ...more,
});
const create = (more: Partial<WebOperations["create_connection"]["input"]> = {}): Promise<TestedConnection> =>
  ask("create_connection", openai(more));
const list = async (): Promise<ConnectionObject[]> => (await ask("list_connections", {})).data;
const readRow = async (id: string) => (await db().query("select * from connections where id = $1", [id])).rows[0];

describe("creating", () => {
  test("asks the other side first, and shows everything but the secret", async () => {
    const { connection, test: result } = await create();
    expect(result).toEqual({ outcome: "ok", message: `${new URL(provider.url).host} accepts it and offers 2 models.` });
    expect(connection).toMatchObject({
      connector: "openai",
      auth: "api_key",
      name: "Model server",
      status: "connected",
      settings: { base_url: `${provider.url}/v1` },
      secret_hints: { api_key: "••••5b4a" },
      origins: [provider.url],
      used_by: [],
      created_by: "Owner",
      last_used_at: null,
    });
    expect(await list()).toEqual([connection]);
    expect(JSON.stringify(await list())).not.toContain(KEY);
  });

  test("what the other side refuses is stored only on purpose, and marked", async () => {
    const fields = { base_url: `${provider.url}/v1`, api_key: "sk-wrong-000000000000" };
    const refused = await errorOf(create({ fields }));
    expect(refused.code).toBe("CONNECTION_TEST_FAILED");
    expect(refused.message).toContain("answered 401: Incorrect API key provided");
    expect(await list()).toEqual([]);
    const { connection } = await create({ fields, accept_failure: true });
    expect(connection).toMatchObject({ status: "expired", last_error: refused.message });
  });

  test("every wrong field is named at once, and none of them is repeated when it is secret", async () => {
    const fields = { base_url: "not a url", api_key: "two words", extra: "x" };
    const error = await errorOf(create({ fields }));
    expect(error.code).toBe("BAD_REQUEST");
    expect((error.details as { field: string }[]).map((item) => item.field).sort()).toEqual([
      "fields.api_key",
      "fields.base_url",
      "fields.extra",
    ]);
    expect(JSON.stringify(error.toBody())).not.toContain("two words");
    const http = { connector: "http", auth: "bearer", fields: { token: "t0ken-t0ken", hosts: "*.com" } };
    expect((await errorOf(create(http))).message).toContain('"*.com" is no host');
    expect((await errorOf(create({ ...http, fields: {} }))).details).toHaveLength(2);
    expect((await errorOf(create({ connector: "nobody" }))).code).toBe("BAD_REQUEST");
  });

  test("a name is taken once per connector, however many ask", async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => create()));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect((await errorOf(create())).code).toBe("CONNECTION_NAME_TAKEN");
  });

  test("the guard of outgoing calls holds for tests too", async () => {
    const fields = { base_url: "http://169.254.169.254/v1", api_key: KEY };
    expect((await errorOf(create({ fields }))).message).toContain("not a public address");
  });

  test("an http connection is tested where it says, and only on its own hosts", async () => {
    const http = (test_url: string) =>
      create({
        connector: "http",
        auth: "bearer",
        name: "API",
        fields: { token: KEY, hosts: provider.url, ...(test_url ? { test_url } : {}) },
      });
    expect((await errorOf(http("http://127.0.0.1:1/me"))).message).toContain("credentials go to");
    expect((await http("")).test).toMatchObject({ outcome: "untested" });
    await db().query("delete from connections");
    expect((await http(`${provider.url}/me`)).test).toMatchObject({ outcome: "ok" });
    expect(provider.requests.at(-1)).toMatchObject({ path: "/me", headers: { authorization: `Bearer ${KEY}` } });
  });
});

describe("changing", () => {
  test("a new name must be free", async () => {
    const { connection } = await create();
    await create({ name: "Other" });
    const { connection_id } = connection;
    expect((await errorOf(ask("rename_connection", { connection_id, name: "Other" }))).code).toBe(
      "CONNECTION_NAME_TAKEN",
    );
    expect(await ask("rename_connection", { connection_id, name: "Mine" })).toMatchObject({ name: "Mine" });
  });

  test("new credentials are tested, and take the place of the old ones", async () => {
    const { connection } = await create({
      fields: { base_url: provider.url, api_key: "sk-old" },
      accept_failure: true,
    });
    const { connection_id } = connection;
    const wrong = { connection_id, auth: "api_key", fields: { base_url: provider.url, api_key: "sk-new" } };
    expect((await errorOf(ask("replace_credentials", wrong))).code).toBe("CONNECTION_TEST_FAILED");
    const right = { ...wrong, fields: { base_url: `${provider.url}/v1`, api_key: KEY } };
    const replaced = await ask("replace_credentials", right);
    expect(replaced.connection).toMatchObject({ status: "connected", last_error: null });
  });

  test("the secret cannot be sent elsewhere without being known", async () => {
    const { connection } = await create({
      connector: "http",
      auth: "bearer",
      fields: { token: KEY, hosts: "api.example.com" },
    });
    const moved = { connection_id: connection.connection_id, auth: "bearer", fields: { hosts: "evil.example" } };
    expect((await errorOf(ask("replace_credentials", moved))).details).toMatchObject([{ field: "fields.token" }]);
  });

  test("a test tells how it stands now", async () => {
    const { connection } = await create();
    const { connection_id } = connection;
    provider.key = "sk-another";
    await db().query("update connections set status = 'connected'");
    const { connection: tested, test: result } = await ask("test_connection", { connection_id });
    provider.key = KEY;
    expect(tested).toMatchObject({ status: "expired", last_error: result.message });
    expect((await ask("test_connection", { connection_id })).connection.status).toBe("connected");
    expect(await ask("list_models", { connection_id })).toEqual({ data: ["model-a", "model-b"] });
  });
});

describe("deleting", () => {
  const using = (connection_id: string): Definition => ({
    nodes: [node("ask", "llm", { connection_id, model: "m", prompt: "p" })],
    edges: [],
  });

  test("is refused while a draft or a deployed version names it, and says which", async () => {
    const { connection_id } = (await create()).connection;
    const action = await addAction(workspace, { name: "Sorting", definition: using(connection_id) });
    const error = await errorOf(ask("delete_connection", { connection_id }));
    expect(error).toMatchObject({ code: "CONNECTION_IN_USE", status: 409 });
    expect(error.message).toContain("Sorting");
    const use = { workflow_id: action.workflowId, name: "Sorting", draft: true, deployed: true };
    expect(error.details).toEqual({ used_by: [use] });
    await db().query(`update workflows set draft = '{"nodes": [], "edges": []}'`);
    expect((await errorOf(ask("delete_connection", { connection_id }))).details).toEqual({
      used_by: [{ ...use, draft: false }],
    });
    await db().query("update workflow_versions set status = 'archived'");
    expect(await ask("delete_connection", { connection_id })).toEqual({ connection_id, deleted: true });
    expect(await list()).toEqual([]);
  });

  test("a workflow that names one that is gone cannot be published", async () => {
    const workflow = await ask("create_workflow", { name: "Sorting", definition: using(uuidv7()) });
    expect(workflow.problems).toContainEqual({
      code: "UNKNOWN_CONNECTION",
      message: "ask: its connection does not exist",
      node_id: "ask",
      field: "connection_id",
    });
    const error = await errorOf(ask("deploy_workflow", { workflow_id: workflow.workflow_id, slug: "sorting" }));
    expect(error.details).toContainEqual(expect.objectContaining({ code: "UNKNOWN_CONNECTION" }));
  });
});

describe("who may", () => {
  test("another workspace's connection is unknown to every operation", async () => {
    const { connection_id } = (await create()).connection;
    const stranger = { who: await addWorkspace() };
    const fields = openai().fields;
    const asked = [
      () => ask("rename_connection", { connection_id, name: "x" }, stranger),
      () => ask("replace_credentials", { connection_id, auth: "api_key", fields }, stranger),
      () => ask("test_connection", { connection_id }, stranger),
      () => ask("list_models", { connection_id }, stranger),
      () => ask("delete_connection", { connection_id }, stranger),
    ];
    for (const attempt of asked) {
      expect((await errorOf(attempt())).toBody()).toEqual({ error: "There is no such connection.", code: "NOT_FOUND" });
    }
    expect((await ask("list_connections", {}, stranger)).data).toEqual([]);
    const open = openConnection(stranger.who.workspaceId, connection_id, () => expect.fail("it was sent"));
    await expect(open).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("no such") });
  });

  test("viewers see, editors change", async () => {
    const { connection_id } = (await create()).connection;
    expect((await ask("list_connections", {}, { role: "viewer" })).data).toHaveLength(1);
    const changes = [
      () => ask("create_connection", openai(), { role: "approver" }),
      () => ask("test_connection", { connection_id }, { role: "approver" }),
      () => ask("delete_connection", { connection_id }, { role: "approver" }),
    ];
    for (const attempt of changes) expect((await errorOf(attempt())).code).toBe("FORBIDDEN");
  });
});

describe("the secret", () => {
  test("stands nowhere in the database, and every change is audited", async () => {
    const { connection_id } = (await create()).connection;
    const fields = openai().fields;
    await ask("replace_credentials", { connection_id, auth: "api_key", fields });
    await ask("test_connection", { connection_id });
    await ask("rename_connection", { connection_id, name: "Mine" });
    await ask("delete_connection", { connection_id });
    const { rows } = await db().query("select action from audit_events where object_id = $1 order by id", [
      connection_id,
    ]);
    expect(rows.map((row) => row.action)).toEqual([
      "connection.created",
      "connection.credentials_replaced",
      "connection.tested",
      "connection.renamed",
      "connection.deleted",
    ]);
    expect(await tablesWith(KEY)).toEqual([]);
  });

  test("opens in its own row only", async () => {
    const first = (await create()).connection;
    const second = (await create({ name: "Second" })).connection;
    await db().query(
      "update connections set credentials_sealed = (select credentials_sealed from connections where id = $1) where id = $2",
      [first.connection_id, second.connection_id],
    );
    const open = openConnection(workspace.workspaceId, second.connection_id, () => expect.fail("it was sent"));
    await expect(open).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
    const [shown] = await list();
    expect(shown).toMatchObject({ name: "Second", status: "failed", settings: {} });
  });
});

describe("using", () => {
  const open = (id: string, answer: { status: number; body?: string }) =>
    openConnection(workspace.workspaceId, id, async () => ({
      status: answer.status,
      headers: { "x-echo": KEY },
      body: Buffer.from(answer.body ?? ""),
    }));
  const get = { method: "GET", url: "", headers: {}, signal: new AbortController().signal };

  test("a 401 marks it expired, the next accepted answer connected; last used is noted once a minute", async () => {
    const { connection_id: id } = (await create()).connection;
    const request = { ...get, url: `${provider.url}/v1/x` };
    await (await open(id, { status: 401 })).send(request);
    expect(await readRow(id)).toMatchObject({ status: "expired", last_error: expect.stringContaining("401") });
    await (await open(id, { status: 200 })).send(request);
    const row = await readRow(id);
    expect(row).toMatchObject({ status: "connected", last_error: null, last_used_at: expect.any(Date) });
    await (await open(id, { status: 200 })).send(request);
    expect(await readRow(id)).toEqual(row);
    await db().query("update connections set last_used_at = now() - interval '61 seconds'");
    await (await open(id, { status: 200 })).send(request);
    expect((await readRow(id)).last_used_at.getTime()).toBeGreaterThanOrEqual(row.last_used_at.getTime());
  });

  test("what an old secret meets says nothing about its replacement", async () => {
    const { connection_id } = (await create()).connection;
    const old = await open(connection_id, { status: 401 });
    await ask("replace_credentials", { connection_id, auth: "api_key", fields: openai().fields });
    await old.send({ ...get, url: `${provider.url}/v1/x` });
    expect(await readRow(connection_id)).toMatchObject({ status: "connected" });
  });

  test("an answer that repeats the secret comes back without it", async () => {
    const { connection_id } = (await create()).connection;
    const body = JSON.stringify({ you: { sent: `Bearer ${KEY}` }, other: "тайна" });
    const response = await (await open(connection_id, { status: 200, body })).send({
      ...get,
      url: `${provider.url}/v1`,
    });
    expect(JSON.parse(response.body.toString())).toEqual({ you: { sent: "Bearer [REDACTED]" }, other: "тайна" });
    expect(response.headers).toEqual({ "x-echo": "[REDACTED]" });
  });
});
