import { describe, expect, test } from "vitest";
import {
  APPLICATION,
  BITRIX24_ACCESS_TOKEN,
  INBOUND_CODE,
  INBOUND_URL,
  startBitrix24,
} from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { pollBitrix24 } from "#lib/connectors/vendors/bitrix24/poll-bitrix24";
import { BITRIX24_TRIGGERS } from "#lib/connectors/vendors/bitrix24/triggers";
import { getConnection } from "#lib/domain/connections/get-connection";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { tablesWith } from "#lib/platform/db/find-text.fixture";
import { prisma } from "#lib/platform/db/prisma";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const stage = useConnectorStage("bitrix24", startBitrix24);
const connect = () => stage.connect("inbound_webhook", { webhook_url: INBOUND_URL });

/** Maps our trigger identifiers to Bitrix24's event and the methods of its object type. */
const EVENTS: Record<string, [name: string, kind: string]> = {
  new_deal: ["ONCRMDEALADD", "crm.deal"],
  deal_updated: ["ONCRMDEALUPDATE", "crm.deal"],
  new_contact: ["ONCRMCONTACTADD", "crm.contact"],
  new_lead: ["ONCRMLEADADD", "crm.lead"],
  task_added: ["ONTASKADD", "tasks.task"],
  task_updated: ["ONTASKUPDATE", "tasks.task"],
};

const listenToAll = (connection: string) =>
  Promise.all(Object.keys(EVENTS).map(async (event) => [event, await stage.listenTo(connection, event)] as const));

test("the triggers are those of the contract", () => {
  expect(Object.keys(BITRIX24_TRIGGERS).sort()).toEqual(Object.keys(EVENTS).sort());
});

describe("an inbound webhook", () => {
  test("is polled for new and changed objects, and each one starts a workflow once", async () => {
    const connection = await connect();
    const triggers = await listenToAll(connection);
    await stage.work();
    for (const [event, trigger] of triggers) {
      const listening = await stage.listeningOf(trigger);
      expect(listening, event).toMatchObject({ status: "active", mode: "polling", error: null });
    }
    await stage.work({ isSoon: true });
    const { vendor } = stage;
    const [deal, contact, lead] = ["crm.deal", "crm.contact", "crm.lead"].map((kind) =>
      vendor.add(kind, { TITLE: "New" }, "2026-02-01T10:00:00+00:00"),
    );
    const task = vendor.add("tasks.task", { title: "New" }, "2026-02-01T10:00:00+00:00");
    await stage.work({ isSoon: true });
    Object.assign(deal ?? {}, { TITLE: "Changed", DATE_MODIFY: "2026-02-02T10:00:00+00:00" });
    Object.assign(task, { title: "Changed", changedDate: "2026-02-02T10:00:00+00:00" });
    await stage.work({ isSoon: true });
    await stage.work({ isSoon: true });
    const outputs = Object.fromEntries(
      await Promise.all(triggers.map(async ([event, trigger]) => [event, await stage.outputsOf(trigger)] as const)),
    );
    expect(outputs).toMatchObject({
      new_deal: [{ id: deal?.ID, occurred_at: "2026-02-01T10:00:00.000Z", data: { TITLE: "New" } }],
      deal_updated: [{ occurred_at: "2026-02-02T10:00:00.000Z", data: { ID: deal?.ID, TITLE: "Changed" } }],
      new_contact: [{ connector: "bitrix24", connection_id: connection, data: { ID: contact?.ID } }],
      new_lead: [{ data: { ID: lead?.ID } }],
      task_added: [{ data: { id: task.id, title: "New" } }],
      task_updated: [{ data: { id: task.id, title: "Changed" } }],
    });
  });

  test("finds every change when many objects change", async () => {
    const { vendor } = stage;
    const many = Array.from({ length: 60 }, (_, index) =>
      vendor.add("crm.deal", { TITLE: `${index}` }, "2026-03-01T10:00:00+00:00"),
    );
    const service = await openService({ ...stage.workspace, connectionId: await connect() }, outgoingSend());
    const wanted = ["new_deal", "deal_updated"];
    const { cursor, events } = await pollBitrix24(service, null, wanted);
    expect(events).toEqual([]);
    for (const deal of many) deal.DATE_MODIFY = "2026-03-02T10:00:00+00:00";
    for (let index = 0; index < 51; index += 1) vendor.add("crm.deal", { TITLE: "x" }, "2026-03-03T10:00:00+00:00");
    const first = await pollBitrix24(service, cursor, wanted);
    const second = await pollBitrix24(service, first.cursor, wanted);
    const third = await pollBitrix24(service, second.cursor, wanted);
    const idsOf = (event: string) =>
      [first, second, third].flatMap((polled) =>
        polled.events.flatMap((item) => (item.event === event ? item.id : [])),
      );
    expect(first.isMore).toBe(true);
    expect(new Set(idsOf("deal_updated")).size).toBe(60);
    expect(idsOf("deal_updated")).toHaveLength(60);
    expect(idsOf("new_deal")).toHaveLength(51);
  });
});

/** A local application that the user signs in to. The callback names the given authorization server. */
async function comeBackFrom(server: string | null) {
  const { workspaceId, userId } = stage.workspace;
  const fields = { domain: "example.bitrix24.com", client_id: APPLICATION.id, client_secret: APPLICATION.secret };
  const target = { connector: "bitrix24", auth: "oauth2_authorization_code", name: "Application", fields };
  const { authorize_url: url } = await startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
  expect(new URL(url).pathname).toBe("/oauth/authorize/");
  const query = new URLSearchParams({ code: "c", state: new URL(url).searchParams.get("state") ?? "" });
  if (server !== null) query.set("server_domain", server);
  const taken = (await takeAuthorization(userId, query.get("state") ?? "")) ?? expect.fail("nothing was started");
  return finishAuthorization({ begun: taken, userId, actor: TEST_ACTOR, query });
}

async function signIn(server: string | null = "oauth.bitrix24.tech"): Promise<string> {
  const finished = await comeBackFrom(server);
  return finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
}

/** Returns where a connection gets its tokens. The tests replace the host when a request is sent. */
async function tokenUrlOf(connectionId: string): Promise<string | undefined> {
  const { credentials, auth } = await getResolvedConnection(stage.workspace.workspaceId, connectionId);
  return auth.oauth?.tokenUrl(credentials.values);
}

describe("the authorization server", () => {
  test("is the one that the callback names, and stays that of the connection", async () => {
    for (const server of ["oauth.bitrix24.tech", "oauth.bitrix.info"]) {
      const connectionId = await signIn(server);
      expect(await tokenUrlOf(connectionId)).toBe(`https://${server}/oauth/token/`);
      expect(stage.vendor.requests.some(({ path }) => path === "/oauth/token/")).toBe(true);
      const { workspaceId } = stage.workspace;
      expect((await getConnection(workspaceId, connectionId)).settings).not.toHaveProperty("authorization_server");
      await prisma().connection.deleteMany({ where: { workspaceId } });
    }
    expect(await tokenUrlOf(await signIn(null))).toBe("https://oauth.bitrix24.tech/oauth/token/");
  });

  test("of a forged callback never gets the client secret", async () => {
    const forged = [
      "evil.example",
      "oauth.bitrix.info.evil.example",
      "evil.example/oauth.bitrix.info",
      "",
      "127.0.0.1",
    ];
    for (const server of forged) {
      expect(await comeBackFrom(server), server).toMatchObject({ outcome: "refused", reason: "exchange_failed" });
    }
    expect(stage.vendor.requests.map(({ path }) => path)).toEqual([]);
  });
});

describe("an application", () => {
  test("binds one handler per event, and each delivery starts a workflow once with the whole object", async () => {
    const { vendor } = stage;
    vendor.handlers = [];
    const connection = await signIn();
    const triggers = await listenToAll(connection);
    await stage.work();
    for (const [event, trigger] of triggers) {
      const listening = await stage.listeningOf(trigger);
      expect(listening, event).toMatchObject({ status: "active", mode: "webhook", error: null });
    }
    expect(vendor.handlers.map(({ event }) => event).sort()).toEqual(
      Object.values(EVENTS)
        .map(([name]) => name)
        .sort(),
    );
    for (const [event, trigger] of triggers) {
      const [name, kind] = EVENTS[event] ?? ["", ""];
      const object = vendor.add(kind, { TITLE: "New" }, "2026-02-01T10:00:00+00:00");
      const id = String(object.ID ?? object.id);
      expect(await vendor.happens(name, id), event).toEqual([200]);
      expect(await vendor.happens(name, id), event).toEqual([200]);
      expect(await stage.outputsOf(trigger), event).toEqual([
        {
          event,
          id: expect.stringContaining(id),
          occurred_at: "2026-02-01T10:00:00.000Z",
          received_at: expect.stringMatching(/Z$/),
          connector: "bitrix24",
          connection_id: connection,
          data: object,
        },
      ]);
    }
  });

  test("subscribes only to the wanted events, delivers an event whose object cannot be read, and rejects forged deliveries", async () => {
    const { vendor } = stage;
    vendor.handlers = [];
    const connection = await signIn();
    const deals = await stage.listenTo(connection, "new_deal");
    const tasks = await stage.listenTo(connection, "task_added");
    await stage.work();
    expect(await vendor.happens("ONCRMDEALADD", "1")).toEqual([200]);
    vendor.failures.push({ status: 503, json: { error: "QUERY_LIMIT_EXCEEDED" } });
    expect(await vendor.happens("ONCRMDEALADD", "37")).toEqual([200]);
    expect(await stage.outputsOf(deals)).toMatchObject([{ data: { ID: "1" } }, { data: { ID: "37" } }]);
    const { workspaceId, userId } = stage.workspace;
    await setTriggerStatus({ workspaceId, userId, actor: TEST_ACTOR }, deals.workflowId, "paused");
    await stage.work();
    expect(vendor.handlers).toMatchObject([{ event: "ONTASKADD" }]);
    for (const bound of vendor.handlers) bound.handler = bound.handler.replace(/.$/, "_");
    expect(await vendor.happens("ONTASKADD", "8017")).toEqual([401]);
    expect(await stage.outputsOf(tasks)).toEqual([]);
  });
});

test("the credentials of a connection are stored nowhere in plain text", async () => {
  await stage.listenTo(await signIn(), "new_deal");
  await stage.work();
  const [bound] = stage.vendor.handlers;
  const key = new URL(bound?.handler ?? "").searchParams.get("key") ?? expect.fail("no key");
  for (const secret of [INBOUND_CODE, BITRIX24_ACCESS_TOKEN, APPLICATION.secret, key])
    expect(await tablesWith(secret)).toEqual([]);
});
