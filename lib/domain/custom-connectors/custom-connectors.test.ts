import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { buildConnectorOperation, validateConnectorOperation } from "#lib/api/operations/connections/connector-builds";
import { getOperationSchemaOperation } from "#lib/api/operations/connections/connectors";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { startVendor } from "#lib/connectors/sdk/vendor.fixture";
import type { CustomAuth } from "#lib/contract/connector/connector";
import { createConnection } from "#lib/domain/connections/create-connection";
import { deleteConnector } from "#lib/domain/connections/delete-connector";
import { tryOperation } from "#lib/domain/connections/try-operation";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { getCustomConnector } from "#lib/domain/custom-connectors/get-custom-connector";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { validateBuild } from "#lib/domain/custom-connectors/validate-build";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { seedRun } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const CANARY = "canary-token-0123456789";
process.env.OUTBOUND_ALLOW = "127.0.0.1";
const vendor = await startVendor(({ path }) =>
  path.startsWith("/documents/")
    ? { json: largeDocument(Number(path.split("/")[2])) }
    : path.startsWith("/v1/customers/")
      ? { json: { mail: "ada@example.com" } }
      : { status: 404, json: { error: "no" } },
);
const workspace = await addWorkspace();
afterAll(() => vendor.close());

function largeDocument(mebibytes: number) {
  return { openapi: "3.1.0", paths: { "/a": { get: {} } }, "x-text": "x".repeat(mebibytes * 1_048_576) };
}

const operations = [
  {
    name: "get_customer",
    method: "GET",
    path: "/customers/{id}",
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "expand", in: "query", schema: { type: "string" } },
    ],
  },
  { name: "list_bills", method: "GET", path: "/bills" },
];
const source = (slug: string, auth: CustomAuth = "none") => {
  return { slug, name: "Customers", baseUrl: `${vendor.url}/v1`, auth, operations };
};

async function build(slug: string, auth?: CustomAuth): Promise<void> {
  const { workspaceId, userId } = workspace;
  const input = source(slug, auth);
  const { build_id: id } = await createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
  await runBuild(id, outgoingSend());
}

const attempt = (connector: string, operation: string, params = {}, connectionId: string | null = null) =>
  tryOperation({ workspaceId: workspace.workspaceId, actor: TEST_ACTOR, connector, operation, connectionId, params });

describe("an operation that is tried", () => {
  test("shows its request and the answer, redacted", async () => {
    await build("customers");
    const params = { path: { id: "7" }, query: { expand: "bills" } };
    expect(await attempt("customers", "get_customer", params)).toMatchObject({
      outcome: "succeeded",
      requests: [{ method: "GET", url: `${vendor.url}/v1/customers/7?expand=bills`, status: 200 }],
      output: { status: 200, body: { mail: "[REDACTED_EMAIL]" } },
      error: null,
    });
    expect(await attempt("customers", "list_bills")).toMatchObject({
      outcome: "failed",
      output: null,
      requests: [{ status: 404 }],
    });
    expect(await attempt("customers", "get_customer")).toMatchObject({
      outcome: "failed",
      requests: [],
      error: { code: "VALIDATION_ERROR", message: "path.id: is required" },
    });
  });

  test("uses a connection's credentials, which appear nowhere in what is shown", async () => {
    await build("guarded", "bearer");
    const { workspaceId, userId } = workspace;
    const fields = { token: CANARY, hosts: vendor.url };
    const about = { workspaceId, userId, actor: TEST_ACTOR, connector: "http", auth: "bearer", acceptFailure: false };
    const { connection } = await createConnection({ ...about, name: "Customers", fields });
    const params = { path: { id: "7" } };
    const refused = await attempt("guarded", "get_customer", params);
    expect(refused.error?.message).toContain("connection_id: is required");
    const tried = await attempt("guarded", "get_customer", params, connection.connection_id);
    expect(tried.outcome).toBe("succeeded");
    expect(vendor.requests.at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(JSON.stringify(tried)).not.toContain(CANARY);
    const foreign = await addWorkspace();
    const stolen = { workspaceId: foreign.workspaceId, actor: TEST_ACTOR, connector: "http", operation: "request" };
    const url = `${vendor.url}/v1/customers/7`;
    await expect(
      tryOperation({ ...stolen, connectionId: connection.connection_id, params: { method: "GET", url } }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(tryOperation({ ...stolen, connector: "guarded", connectionId: null, params })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

test("a field has no choices, and a caller who may not list choices does not learn even that", async () => {
  await build("plain");
  const ask = (role: "editor" | "viewer", field?: string) => {
    const caller: Caller = { kind: "user", role, name: "Ada", ...workspace };
    const input = { connector: "plain", operation: "get_customer", connection_id: uuidv7(), ...(field && { field }) };
    return invoke(getOperationSchemaOperation, caller, input, requestContext());
  };
  expect(await ask("viewer")).toMatchObject({ operation: "get_customer", option_fields: [] });
  await expect(ask("viewer", "path")).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(ask("editor", "path")).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: "field: path has no choices to list",
  });
});

test("the changes of a build are known before it is made", async () => {
  await build("changing");
  const { workspaceId } = workspace;
  const [first] = operations;
  if (!first) throw new Error("there are two");
  const input = { ...source("changing", "basic"), operations: [first, { name: "list", method: "GET", path: "/all" }] };
  expect(await validateBuild(workspaceId, input)).toMatchObject({
    valid: true,
    operations: ["get_customer", "list"],
    suggested: { name: null },
    routes: [{ method: "GET", path: "/customers/{id}" }, { path: "/all" }],
    changes: { auth: { before: "none", after: "basic" }, added: ["list"], removed: ["list_bills"], changed: [] },
  });
  expect((await getCustomConnector(workspaceId, "changing")).version).toBe(1);
  expect((await validateBuild((await addWorkspace()).workspaceId, input)).changes).toBeNull();
});

test("a check names the steps of drafts that a new version would break, with the reason", async () => {
  await build("breaking");
  const { workspaceId, userId } = workspace;
  const step = (id: string, operation: string) => {
    const data = { connector: "breaking", operation, name: `Step ${id}` };
    return { id, type: "connector", position: { x: 0, y: 0 }, data };
  };
  const draft = { nodes: [step("a", "get_customer"), step("b", "list_bills")], edges: [] };
  const id = uuidv7();
  await db().query(
    "insert into workflows (id, workspace_id, name, type, draft, created_by) values ($1, $2, 'Bills', 'callable', $3, $4)",
    [id, workspaceId, JSON.stringify(draft), userId],
  );
  const [first] = operations;
  if (!first) throw new Error("there are two");
  const expand = { name: "expand", in: "query", required: true, schema: { type: "string" } };
  const changed = { ...first, parameters: [{ name: "id", in: "path", required: true }, expand] };
  const place = { workflow_id: id, workflow: "Bills", version: null };
  const next = { ...source("breaking"), operations: [changed] };
  expect((await validateBuild(workspaceId, next)).breaks).toEqual([
    { ...place, step_id: "a", step: "Step a", operation: "get_customer", reasons: ["requires query.expand"] },
    { ...place, step_id: "b", step: "Step b", operation: "list_bills", reasons: ["no longer exists"] },
  ]);
  expect((await validateBuild(workspaceId, source("breaking"))).breaks).toEqual([]);
});

test("a selection with a name that the document lacks is refused with 400 by the check and by the build", async () => {
  const caller: Caller = { kind: "user", role: "editor", name: "Ada", ...workspace };
  const openapi = { openapi: "3.1.0", paths: { "/orders": { get: { tags: ["Orders"] } } } };
  const input = { slug: "chosen", name: "Chosen", base_url: "https://api.example.com", openapi };
  const asks = [
    (select: object) => invoke(buildConnectorOperation, caller, { ...input, select }, requestContext()),
    (select: object) => invoke(validateConnectorOperation, caller, { ...input, select }, requestContext()),
  ];
  for (const ask of asks) {
    await expect(ask({ tags: ["Ordres"] })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining('did you mean "Orders"?'),
      details: [expect.objectContaining({ field: "select.tags.0", pointer: "/select/tags/0" })],
    });
    await expect(ask({ tags: ["Orders"] })).resolves.toMatchObject({ connector: "chosen" });
  }
});

test("a document above the size of a request is sent compressed, and its operations are listed on request", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [
      `/v1/${n}`,
      { get: { description: "word ".repeat(1_000), summary: `S ${n}` } },
    ]),
  );
  const openapiGzip = gzipSync(JSON.stringify({ openapi: "3.1.0", paths })).toString("base64");
  const { operations: _, ...about } = source("large");
  const input = { ...about, openapiGzip, select: { paths: ["/v1/7"] }, list: true };
  const result = await validateBuild(workspace.workspaceId, input);
  expect(result).toMatchObject({ valid: true, operations: ["get_v1_7"], document: { operations: 300 } });
  expect(result.document?.list?.[7]).toEqual({
    operation: "get_v1_7",
    name: "S 7",
    method: "GET",
    path: "/v1/7",
    tags: ["untagged"],
  });
  const { workspaceId, userId } = workspace;
  const { build_id: id } = await createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
  await runBuild(id, outgoingSend());
  expect((await getCustomConnector(workspaceId, "large")).operations).toHaveLength(1);
});

test("a document of more than 10 MiB is read from its address, and one of more than 20 MiB is refused", async () => {
  const input = { slug: "far", name: "Far", baseUrl: vendor.url, auth: "none" as const };
  const check = (mebibytes: number) =>
    validateBuild(workspace.workspaceId, { ...input, openapiUrl: `${vendor.url}/documents/${mebibytes}` });
  expect(await check(11)).toMatchObject({ valid: true, operations: ["get_a"] });
  expect((await check(21)).errors).toMatchObject([
    { code: "not_fetched", message: expect.stringContaining("larger than 20 MiB") },
  ]);
});

test("a connector that a workflow uses cannot be deleted, another can, and other workspaces' are unknown", async () => {
  await build("doomed");
  const { workspaceId, userId } = workspace;
  const remove = (id = workspaceId) => deleteConnector({ workspaceId: id, slug: "doomed", actor: TEST_ACTOR });
  const nodes = [{ id: "call", type: "connector", position: { x: 0, y: 0 }, data: { connector: "doomed" } }];
  const id = uuidv7();
  await db().query(
    "insert into workflows (id, workspace_id, name, type, draft, created_by) values ($1, $2, 'Uses it', 'callable', $3, $4)",
    [id, workspaceId, JSON.stringify({ nodes, edges: [] }), userId],
  );
  expect((await getCustomConnector(workspaceId, "doomed")).used_by).toEqual([
    { workflow_id: id, name: "Uses it", draft: true, deployed: false },
  ]);
  await expect(remove()).rejects.toMatchObject({
    code: "CONNECTOR_IN_USE",
    details: { used_by: [{ name: "Uses it" }] },
  });
  await expect(remove((await addWorkspace()).workspaceId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  // The version has been replaced since, but one of its runs has not ended.
  const versionId = uuidv7();
  await db().query("update workflows set deleted_at = now() where id = $1", [id]);
  await db().query(
    `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition)
     values ($1, $2, $3, 1, 'archived', '{}')`,
    [versionId, workspaceId, id],
  );
  await db().query(
    `insert into workflow_version_connectors (workflow_version_id, slug, connector_id, connector_version)
     select $1, slug, id, version from connectors where workspace_id = $2 and slug = 'doomed'`,
    [versionId, workspaceId],
  );
  const run = await seedRun(db(), { workspaceId, workflowId: id, versionId });
  await expect(remove()).rejects.toMatchObject({ code: "CONNECTOR_IN_USE", message: expect.stringContaining("Runs") });
  await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [run]);
  expect(await remove()).toEqual({ connector: "doomed", deleted: true });
  await expect(getCustomConnector(workspaceId, "doomed")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
