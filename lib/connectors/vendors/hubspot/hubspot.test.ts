import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("hubspot", startHubSpot);
const connect = () => stage.connect("private_app", { token: HUBSPOT_TOKEN });

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
