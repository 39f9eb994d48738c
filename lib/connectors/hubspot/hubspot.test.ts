import { describe, expect, test } from "vitest";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/hubspot/hubspot.fixture";
import { useConnectorStage } from "#lib/triggers/connector-stage.fixture";

const stage = useConnectorStage("hubspot", startHubSpot);
const connect = () => stage.connect("private_app", { token: HUBSPOT_TOKEN });

describe("new_contact", () => {
  test("starts a workflow for each contact that is made from its activation on, once", async () => {
    stage.vendor.add("contacts", { email: "before@example.com" });
    const connection = await connect();
    const trigger = await stage.listenTo(connection, "new_contact");
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "polling", error: null });
    const ada = stage.vendor.add("contacts", { email: "ada@example.com" });
    await stage.work({ isSoon: true });
    await stage.work({ isSoon: true });
    // Found late: it was made before the newest that was seen.
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
