import { expect, test, vi } from "vitest";
import { listFieldOptionsOperation } from "#lib/api/operations/connections/connections";
import { getOperationSchemaOperation } from "#lib/api/operations/connections/connectors";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { KOMMO_TOKEN, startKommo } from "#lib/connectors/vendors/kommo/kommo.fixture";
import { ApiError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { probeOfConnection } from "#lib/domain/connections/try-credentials";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";

const stage = useConnectorStage("kommo", startKommo);
const connect = () => stage.connect("long_lived_token", { domain: "example.kommo.com", token: KOMMO_TOKEN });
const editor = (workspace = stage.workspace): Caller => ({ kind: "user", role: "editor", name: "Ada", ...workspace });
const key = (scopes: string[]) =>
  ({
    kind: "api_key",
    keyId: "k",
    prefix: "p",
    actionSlugs: null,
    name: "Agent",
    scopes,
    ...stage.workspace,
  }) as Caller;

const asked = { connector: "kommo", operation: "create_lead", field: "status_id" };
const ask = (connection_id: string, more: object = {}, caller = editor()) =>
  invoke(listFieldOptionsOperation, caller, { connection_id, ...asked, ...more }, requestContext());

async function errorOf(attempt: Promise<unknown>): Promise<ApiError> {
  const error = await attempt.then(
    () => expect.fail("it was answered"),
    (thrown: unknown) => thrown,
  );
  return error instanceof ApiError ? error : expect.fail(String(error));
}

test("choices depend on earlier fields, as far as those have a value", async () => {
  const connection = await connect();
  const ofSales = await ask(connection, { params: { pipeline_id: 5, price: 7 }, query: "contact" });
  expect(ofSales).toEqual({ options: [{ value: 501, label: "First contact" }], next_cursor: null });
  for (const params of [{}, { pipeline_id: "{{action_input.pipeline}}" }]) {
    const { options } = await ask(connection, { params, query: "contact" });
    expect(options.map(({ value, hint }) => [value, hint])).toEqual([
      [501, "Sales"],
      [601, "Renewals"],
    ]);
  }
  const trigger = { operation: "catalog_element_added", field: "catalog_id" };
  expect((await ask(connection, trigger)).options).toEqual([{ value: 60, label: "Products" }]);
});

test("a connection of another workspace or another service is never called", async () => {
  const connection = await connect();
  stage.vendor.requests.length = 0;
  const foreign = await errorOf(ask(connection, {}, editor(await addWorkspace())));
  expect(foreign.toBody()).toEqual({ error: "There is no such connection.", code: "NOT_FOUND", reason: "not_found" });
  const other = { connector: "bitrix24", operation: "create_deal", field: "stage_id" };
  expect((await errorOf(ask(connection, other))).message).toContain("to another connector");
  expect((await errorOf(ask(connection, {}, { ...editor(), role: "approver" } as Caller))).code).toBe("FORBIDDEN");
  expect(stage.vendor.requests).toEqual([]);
});

test("a field without choices, and one whose required fields are empty, say so", async () => {
  const connection = await connect();
  for (const field of ["price", "constructor", "nowhere"]) {
    expect((await errorOf(ask(connection, { field }))).message).toContain("has no choices");
  }
  const sheets = { connector: "google_sheets", operation: "append_row", field: "sheet" };
  const early = await errorOf(ask(connection, { ...sheets, params: { spreadsheet_id: "{{x.y}}" } }));
  expect(early).toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining("params.spreadsheet_id") });
  expect((await errorOf(ask(connection, { operation: "nowhere" }))).code).toBe("NOT_FOUND");
});

test("a refusal is reported in the service's words; if the service no longer knows the connection, it is marked", async () => {
  const connection = await connect();
  stage.vendor.failures.push({ status: 429, headers: { "retry-after": "3" }, json: { detail: "Too many requests" } });
  const limited = await errorOf(ask(connection));
  expect(limited).toMatchObject({ code: "CONNECTION_TEST_FAILED", message: expect.stringContaining("Too many") });
  stage.vendor.token = "another";
  const refused = await errorOf(ask(connection));
  stage.vendor.token = KOMMO_TOKEN;
  expect(refused).toMatchObject({ code: "CONNECTION_TEST_FAILED", message: expect.stringContaining("Reconnect it") });
  expect(refused.message).not.toContain("canary");
  const { rows } = await db().query("select status from connections where id = $1", [connection]);
  expect(rows).toEqual([{ status: "expired" }]);
});

test("time that runs out between two requests is a timeout like that of a request", async () => {
  const connection = await getResolvedConnection(stage.workspace.workspaceId, await connect());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { signal } = probeOfConnection(connection);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(signal.reason).toBeInstanceOf(StepError);
  expect(signal.reason).toMatchObject({ code: "TIMEOUT" });
});

test("agents see which fields have choices, and the choices if they may edit workflows", async () => {
  const connection_id = await connect();
  const schema = (input: object, scopes: string[]) =>
    invoke(getOperationSchemaOperation, key(scopes), { ...asked, field: undefined, ...input }, requestContext());
  expect(await schema({}, ["connectors:read"])).toMatchObject({
    option_fields: expect.arrayContaining([{ field: "status_id", depends_on: ["pipeline_id"] }]),
  });
  const choices = { field: "status_id", connection_id, params: { pipeline_id: 6 }, query: "offer" };
  expect(await schema(choices, ["connectors:read", "workflows:write"])).toMatchObject({
    operation: "create_lead",
    options: [{ value: 602, label: "Offer made" }],
    next_cursor: null,
  });
  expect((await errorOf(schema(choices, ["connectors:read"]))).code).toBe("FORBIDDEN");
  const nameless = schema({ field: "status_id" }, ["connectors:read", "workflows:write"]);
  expect((await errorOf(nameless)).message).toContain("connection_id");
});
