import { expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { useConnectionStage } from "#lib/domain/connections/connection.fixture";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const stage = useConnectionStage();

function ask(name: string, input: object): Promise<unknown> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { kind: "user", role: "owner", name: "Ada", ...stage.workspace };
  return invoke(operation, caller, input, requestContext());
}

const documentWith = (more: object) => ({
  openapi: "3.1.0",
  paths: { "/orders": { get: { operationId: "list", parameters: [{ name: "limit", in: "query", example: 5 }] } } },
  ...more,
});
const source = (more: object) => ({ slug: "orders", name: "Orders", openapi: documentWith(more) });
const SERVERS = [
  { url: "http://plain.example" },
  { url: "https://{region}.example/v1", variables: { region: { default: "eu" } } },
];

test("a build without base_url calls the first server of the document with https", async () => {
  const { build_id } = (await ask("build_connector", source({ servers: SERVERS }))) as { build_id: string };
  await runBuild(build_id, outgoingSend());
  expect(await ask("get_build_status", { build_id })).toMatchObject({ status: "ready", errors: [] });
  const { rows } = await db().query(
    "select v.definition ->> 'baseUrl' as url from connector_versions v join connectors c on c.id = v.connector_id where c.workspace_id = $1",
    [stage.workspace.workspaceId],
  );
  expect(rows).toEqual([{ url: "https://eu.example/v1" }]);
  expect(await ask("get_operation_schema", { connector: "orders", operation: "list" })).toMatchObject({
    example: { connector: "orders", operation: "list", params: { query: { limit: 5 } } },
  });
});

test("a build without base_url is refused if the document names no complete server, or can't be read", async () => {
  for (const servers of [[], [{ url: "/v1" }], [{ url: "https://{tenant}.example" }]]) {
    await expect(ask("build_connector", source({ servers }))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("base_url: is required, because the document names no"),
    });
  }
  const unreadable = { slug: "orders", name: "Orders", openapi: "openapi: 3.1.0\n\tx: 1" };
  await expect(ask("build_connector", unreadable)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("openapi: The document isn't valid"),
  });
  const operations = [{ name: "list", method: "GET", path: "/orders" }];
  await expect(ask("build_connector", { slug: "orders", name: "Orders", operations })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("base_url: is required with operations"),
  });
});

test("a check without base_url uses the server of the document, too", async () => {
  const given = await ask("validate_connector", { openapi: documentWith({ servers: SERVERS }) });
  expect(given).toMatchObject({ valid: true, suggested: { base_url: "https://eu.example/v1" } });
  expect(await ask("validate_connector", { openapi: documentWith({}) })).toMatchObject({
    valid: true,
    suggested: { base_url: null },
  });
});
