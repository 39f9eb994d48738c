import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { HUBSPOT_CONNECTOR } from "#lib/connectors/vendors/hubspot/connector";
import {
  HUBSPOT_APPLICATION,
  HUBSPOT_TOKEN,
  HUBSPOT_TOKEN_PATH,
  startHubSpot,
} from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("hubspot", startHubSpot);
const connect = () => stage.connect("private_app", { token: HUBSPOT_TOKEN });

test("a user signs in, and the tokens are renewed, at the OAuth endpoint of 2026-03", async () => {
  const { workspaceId, userId } = stage.workspace;
  const fields = { client_id: HUBSPOT_APPLICATION.id, client_secret: HUBSPOT_APPLICATION.secret };
  const target = { connector: "hubspot", auth: "oauth2_authorization_code", name: "Application", fields };
  const { authorize_url: url } = await startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
  const query = new URLSearchParams({ code: "c", state: new URL(url).searchParams.get("state") ?? "" });
  const taken = (await takeAuthorization(userId, query.get("state") ?? "")) ?? expect.fail("nothing was started");
  const finished = await finishAuthorization({ begun: taken, userId, actor: TEST_ACTOR, query });
  const connectionId = finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
  expect(await callAs(workspaceId, connectionId, "hubspot", "list_deals", {})).toMatchObject({ results: [] });
  const asked = stage.vendor.requests.filter(({ path }) => path.startsWith("/oauth/"));
  expect(asked.map(({ path, form }) => [path, form.get("grant_type")])).toEqual([
    [HUBSPOT_TOKEN_PATH, "authorization_code"],
    [HUBSPOT_TOKEN_PATH, "refresh_token"],
  ]);
});

describe("new_contact", () => {
  test("starts a workflow once for each contact created after activation", async () => {
    stage.vendor.add("contacts", { email: "before@example.com" });
    const connection = await connect();
    const trigger = await stage.listenTo(connection, "new_contact");
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "polling", error: null });
    const ada = stage.vendor.add("contacts", { email: "ada@example.com" });
    await stage.work({ isSoon: true });
    await stage.work({ isSoon: true });
    // Indexed late: created before the newest contact that was seen.
    const late = stage.vendor.add("contacts", { email: "late@example.com" }, new Date(Date.now() - 60_000));
    await stage.work({ isSoon: true });
    expect(await stage.outputsOf(trigger)).toEqual(
      [ada, late].map((data) => ({
        event: "new_contact",
        id: data.id,
        occurred_at: data.createdAt,
        received_at: expect.any(String),
        connector: "hubspot",
        connection_id: connection,
        data: expect.objectContaining({ id: data.id }),
      })),
    );
  });
});

describe.each([
  ["contact", "contacts", "email"],
  ["company", "companies", "name"],
  ["deal", "deals", "dealname"],
  ["ticket", "tickets", "subject"],
  ["note", "notes", "hs_note_body"],
])("a %s", (one, many, field) => {
  test("is created, found, updated, listed and deleted", async () => {
    const connection = await connect();
    const call = (operation: string, params: object) =>
      callAs(stage.workspace.workspaceId, connection, "hubspot", operation, params);
    const { id } = (await call(`create_${one}`, { properties: { [field]: `new ${one}` } })) as { id: string };
    expect(await call(`get_${one}`, { id })).toMatchObject({ id, properties: { [field]: `new ${one}` } });
    expect(await call(`update_${one}`, { id, properties: { [field]: `other ${one}` } })).toMatchObject({ id });
    expect(await call(`search_${many}`, { query: `other ${one}` })).toMatchObject({ total: 1, results: [{ id }] });
    expect(await call(`list_${many}`, { limit: 100 })).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    expect(await call(`delete_${one}`, { id })).toEqual({ id, archived: true });
    const gone = call(`get_${one}`, { id });
    await expect(gone).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("resource not found"),
    });
    await expect(call(`get_${one}`, { id: ".." })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("objects", () => {
  const open = async () => {
    const connection = await connect();
    return (operation: string, params: object) =>
      callAs(stage.workspace.workspaceId, connection, "hubspot", operation, params);
  };

  test("are associated with others when they are created, by the types of HubSpot", async () => {
    const call = await open();
    stage.vendor.links = [];
    const note = { body: "Called back", contact_id: 512, company_id: "9", deal_id: "77", ticket_id: "5" };
    const made = (await call("create_note", note)) as { id: string; properties: Record<string, string> };
    expect(made.properties).toMatchObject({
      hs_note_body: "Called back",
      hs_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(stage.vendor.links.map(({ to, type }) => [to, type])).toEqual([
      ["512", 202],
      ["9", 190],
      ["77", 214],
      ["5", 228],
    ]);
    await call("create_ticket", { properties: { subject: "Printer" }, pipeline: "0", stage: "1", contact_id: "512" });
    expect(stage.vendor.requests.at(-1)?.json).toEqual({
      properties: { subject: "Printer", hs_pipeline: "0", hs_pipeline_stage: "1" },
      associations: [{ to: { id: "512" }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 16 }] }],
    });
  });

  test("are associated, listed page by page, and separated", async () => {
    const call = await open();
    stage.vendor.links = [];
    const ends = { from_type: "deals", from_id: "77", to_type: "contacts" };
    for (const to_id of ["1", "2", "3"]) {
      const result = { from_id: "77", to_id, associated: true };
      expect(await call("associate_objects", { ...ends, to_id })).toEqual(result);
      expect(await call("associate_objects", { ...ends, to_id })).toEqual(result);
    }
    await call("associate_objects", { ...ends, to_id: "3", label_id: 36 });
    expect(stage.vendor.links.map(({ type }) => type)).toEqual(["default", "default", 36]);
    const page = await call("list_associations", { ...ends, limit: 2 });
    expect(page).toMatchObject({
      results: [{ toObjectId: "1" }, { toObjectId: "2" }],
      paging: { next: { after: "2" } },
    });
    expect(await call("list_associations", { ...ends, limit: 2, max_items: 10 })).toEqual({
      results: ["1", "2", "3"].map((toObjectId) => ({ toObjectId, associationTypes: [] })),
    });
    expect(await call("remove_association", { ...ends, to_id: "1" })).toMatchObject({ associated: false });
    expect(stage.vendor.links.map(({ to }) => to)).toEqual(["contacts/2", "contacts/3"]);
  });

  test("use date-versioned paths only", async () => {
    const call = await open();
    for (const [name, { guide }] of Object.entries(HUBSPOT_CONNECTOR.operations)) {
      await call(name, guide?.example ?? {}).catch(() => undefined);
    }
    const paths = new Set(stage.vendor.requests.map(({ path }) => path.replace(/^\/(?:crm\/)?[a-z-]+\//, "")));
    expect(paths.size).toBeGreaterThan(10);
    expect([...paths].filter((path) => !path.startsWith("2026-03"))).toEqual([]);
  });
});
