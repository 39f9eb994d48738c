import { describe, expect, test } from "vitest";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { Definition } from "#lib/contract/workflow/graph";
import { addAction } from "#lib/domain/actions/action.fixture";
import { KEY, useConnectionStage } from "#lib/domain/connections/connection.fixture";
import { openConnection } from "#lib/domain/connections/open-connection";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";

const stage = useConnectionStage();

const list = async (): Promise<ConnectionObject[]> => (await stage.ask("list_connections", {})).data;

describe("creating", () => {
  test("asks the service first, and shows everything except the secret", async () => {
    const { connection, test: result } = await stage.create();
    expect(result).toEqual({
      outcome: "ok",
      message: `${new URL(stage.provider.url).host} accepts the key and offers 2 models.`,
    });
    expect(connection).toMatchObject({
      connector: "openai",
      auth: "api_key",
      name: "Model server",
      status: "connected",
      settings: { base_url: `${stage.provider.url}/v1` },
      secret_hints: { api_key: "••••5b4a" },
      origins: [stage.provider.url],
      used_by: [],
      created_by: "Owner",
      last_used_at: null,
    });
    expect(await list()).toEqual([connection]);
    expect(JSON.stringify(await list())).not.toContain(KEY);
  });

  test("credentials that the service refuses are stored only on request, and marked", async () => {
    const fields = { base_url: `${stage.provider.url}/v1`, api_key: "sk-wrong-000000000000" };
    const refused = await errorOf(stage.create({ fields }));
    expect(refused.code).toBe("CONNECTION_TEST_FAILED");
    expect(refused.message).toContain("answered 401: Incorrect API key provided");
    expect(await list()).toEqual([]);
    const { connection } = await stage.create({ fields, accept_failure: true });
    expect(connection).toMatchObject({ status: "expired", last_error: refused.message });
  });

  test("every invalid field is named at once, and no secret one is repeated", async () => {
    const fields = { base_url: "not a url", api_key: "two words", extra: "x" };
    const error = await errorOf(stage.create({ fields }));
    expect(error.code).toBe("BAD_REQUEST");
    expect((error.details as { field: string }[]).map((item) => item.field).sort()).toEqual([
      "fields.api_key",
      "fields.base_url",
      "fields.extra",
    ]);
    expect(JSON.stringify(error.toBody())).not.toContain("two words");
    const http = { connector: "http", auth: "bearer", fields: { token: "t0ken-t0ken", hosts: "*.com" } };
    expect((await errorOf(stage.create(http))).message).toContain('"*.com" is not a host');
    expect((await errorOf(stage.create({ ...http, fields: {} }))).details).toHaveLength(2);
    expect((await errorOf(stage.create({ connector: "nobody" }))).code).toBe("BAD_REQUEST");
  });

  test("a name can be used once per connector, however many requests arrive at once", async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => stage.create()));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect((await errorOf(stage.create())).code).toBe("CONNECTION_NAME_TAKEN");
  });

  test("the guard of outgoing calls applies to tests too", async () => {
    const fields = { base_url: "http://169.254.169.254/v1", api_key: KEY };
    expect((await errorOf(stage.create({ fields }))).message).toContain("not a public address");
  });

  test("an http connection is tested at its own address, and only on its own hosts", async () => {
    const http = (test_url: string) =>
      stage.create({
        connector: "http",
        auth: "bearer",
        name: "API",
        fields: { token: KEY, hosts: stage.provider.url, ...(test_url ? { test_url } : {}) },
      });
    expect((await errorOf(http("http://127.0.0.1:1/me"))).message).toContain("credentials go to");
    expect((await http("")).test).toMatchObject({ outcome: "untested" });
    await db().query("delete from connections");
    expect((await http(`${stage.provider.url}/me`)).test).toMatchObject({ outcome: "ok" });
    expect(stage.provider.requests.at(-1)).toMatchObject({ path: "/me", headers: { authorization: `Bearer ${KEY}` } });
  });
});

describe("changing", () => {
  test("a new name must be free", async () => {
    const { connection } = await stage.create();
    await stage.create({ name: "Other" });
    const { connection_id } = connection;
    expect((await errorOf(stage.ask("rename_connection", { connection_id, name: "Other" }))).code).toBe(
      "CONNECTION_NAME_TAKEN",
    );
    expect(await stage.ask("rename_connection", { connection_id, name: "Mine" })).toMatchObject({ name: "Mine" });
  });

  test("new credentials are tested and replace the old ones", async () => {
    const { connection } = await stage.create({
      fields: { base_url: stage.provider.url, api_key: "sk-old" },
      accept_failure: true,
    });
    const { connection_id } = connection;
    const wrong = { connection_id, auth: "api_key", fields: { base_url: stage.provider.url, api_key: "sk-new" } };
    expect((await errorOf(stage.ask("replace_credentials", wrong))).code).toBe("CONNECTION_TEST_FAILED");
    const right = { ...wrong, fields: { base_url: `${stage.provider.url}/v1`, api_key: KEY } };
    const replaced = await stage.ask("replace_credentials", right);
    expect(replaced.connection).toMatchObject({ status: "connected", last_error: null });
  });

  test("the secret cannot be sent elsewhere by a person who does not know it", async () => {
    const { connection } = await stage.create({
      connector: "http",
      auth: "bearer",
      fields: { token: KEY, hosts: "api.example.com" },
    });
    const moved = { connection_id: connection.connection_id, auth: "bearer", fields: { hosts: "evil.example" } };
    expect((await errorOf(stage.ask("replace_credentials", moved))).details).toMatchObject([{ field: "fields.token" }]);
  });

  test("an admin allows one more host without knowing the secret, and an editor cannot", async () => {
    const { connection } = await stage.create({
      connector: "http",
      auth: "bearer",
      fields: { token: KEY, hosts: "api.example.com" },
    });
    const { connection_id } = connection;
    const allow = (origin: string, role: "admin" | "editor" = "admin") =>
      stage.ask("allow_connection_host", { connection_id, origin }, { role });
    expect((await errorOf(allow(stage.provider.url, "editor"))).code).toBe("FORBIDDEN");
    for (const _ of [1, 2]) await allow(stage.provider.url);
    const [after] = await list();
    expect(after).toMatchObject({
      origins: ["https://api.example.com", stage.provider.url],
      secret_hints: connection.secret_hints,
    });
    const { send } = await openConnection(stage.workspace.workspaceId, connection_id, outgoingSend());
    await send({
      method: "GET",
      url: `${stage.provider.url}/v1/models`,
      headers: {},
      signal: AbortSignal.timeout(9_000),
    });
    expect(stage.provider.requests.at(-1)).toMatchObject({ headers: { authorization: `Bearer ${KEY}` } });
    const { rows } = await db().query("select details from audit_events where action = 'connection.host_allowed'");
    expect(rows[0]).toEqual({ details: { origin: stage.provider.url } });
  });

  test("only a single origin is allowed, and only for a connection that lists its hosts", async () => {
    const { connection } = await stage.create();
    const { connection_id } = connection;
    for (const origin of ["*.example.com", "https://a.example/path", "not a host"]) {
      const error = await errorOf(stage.ask("allow_connection_host", { connection_id, origin }, { role: "admin" }));
      expect(error.message).toContain("origin: must be");
    }
    const fixed = stage.ask("allow_connection_host", { connection_id, origin: "https://a.example" }, { role: "admin" });
    expect((await errorOf(fixed)).message).toContain("its service determines them");
  });

  test("a test reports the current state", async () => {
    const { connection } = await stage.create();
    const { connection_id } = connection;
    stage.provider.key = "sk-another";
    await db().query("update connections set status = 'connected'");
    const { connection: tested, test: result } = await stage.ask("test_connection", { connection_id });
    stage.provider.key = KEY;
    expect(tested).toMatchObject({ status: "expired", last_error: result.message });
    expect((await stage.ask("test_connection", { connection_id })).connection.status).toBe("connected");
    expect(await stage.ask("list_models", { connection_id })).toEqual({ data: ["model-a", "model-b"] });
  });
});

describe("deleting", () => {
  const using = (connection_id: string): Definition => ({
    nodes: [node("ask", "llm", { connection_id, model: "m", prompt: "p" })],
    edges: [],
  });

  test("is refused while a draft or a deployed version uses the connection, and names the workflow", async () => {
    const { connection_id } = (await stage.create()).connection;
    const action = await addAction(stage.workspace, { name: "Sorting", definition: using(connection_id) });
    const error = await errorOf(stage.ask("delete_connection", { connection_id }));
    expect(error).toMatchObject({ code: "CONNECTION_IN_USE", status: 409 });
    expect(error.message).toContain("Sorting");
    const use = { workflow_id: action.workflowId, name: "Sorting", draft: true, deployed: true };
    expect(error.details).toEqual({ used_by: [use] });
    await db().query(`update workflows set draft = '{"nodes": [], "edges": []}'`);
    expect((await errorOf(stage.ask("delete_connection", { connection_id }))).details).toEqual({
      used_by: [{ ...use, draft: false }],
    });
    await db().query("update workflow_versions set status = 'archived'");
    expect(await stage.ask("delete_connection", { connection_id })).toEqual({ connection_id, deleted: true });
    expect(await list()).toEqual([]);
  });

  test("a workflow that uses a deleted connection cannot be published", async () => {
    const workflow = await stage.ask("create_workflow", { name: "Sorting", definition: using(uuidv7()) });
    expect(workflow.problems).toContainEqual({
      severity: "error",
      code: "UNKNOWN_CONNECTION",
      message: "ask: its connection does not exist",
      node_id: "ask",
      field: "connection_id",
    });
    const error = await errorOf(stage.ask("deploy_workflow", { workflow_id: workflow.workflow_id, slug: "sorting" }));
    expect(error.details).toContainEqual(expect.objectContaining({ code: "UNKNOWN_CONNECTION" }));
  });
});

describe("access", () => {
  test("another workspace's connection is unknown to every operation", async () => {
    const { connection_id } = (await stage.create()).connection;
    const stranger = { who: await addWorkspace() };
    const fields = stage.openai().fields;
    const asked = [
      () => stage.ask("rename_connection", { connection_id, name: "x" }, stranger),
      () => stage.ask("replace_credentials", { connection_id, auth: "api_key", fields }, stranger),
      () => stage.ask("test_connection", { connection_id }, stranger),
      () => stage.ask("list_models", { connection_id }, stranger),
      () => stage.ask("delete_connection", { connection_id }, stranger),
    ];
    for (const attempt of asked) {
      expect((await errorOf(attempt())).toBody()).toEqual({
        error: "There is no such connection.",
        code: "NOT_FOUND",
        reason: "not_found",
      });
    }
    expect((await stage.ask("list_connections", {}, stranger)).data).toEqual([]);
    const open = openConnection(stranger.who.workspaceId, connection_id, () => expect.fail("it was sent"));
    await expect(open).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("no such") });
  });

  test("viewers see connections, editors change them", async () => {
    const { connection_id } = (await stage.create()).connection;
    expect((await stage.ask("list_connections", {}, { role: "viewer" })).data).toHaveLength(1);
    const changes = [
      () => stage.ask("create_connection", stage.openai(), { role: "approver" }),
      () => stage.ask("test_connection", { connection_id }, { role: "approver" }),
      () => stage.ask("delete_connection", { connection_id }, { role: "approver" }),
    ];
    for (const attempt of changes) expect((await errorOf(attempt())).code).toBe("FORBIDDEN");
  });
});
