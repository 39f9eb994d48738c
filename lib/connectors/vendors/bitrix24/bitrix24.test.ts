import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import {
  APPLICATION,
  BITRIX24_ACCESS_TOKEN,
  INBOUND_CODE,
  INBOUND_URL,
  startBitrix24,
} from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { BITRIX24_CONNECTOR } from "#lib/connectors/vendors/bitrix24/connector";
import { pollBitrix24 } from "#lib/connectors/vendors/bitrix24/poll-bitrix24";
import { BITRIX24_TRIGGERS } from "#lib/connectors/vendors/bitrix24/triggers";
import type { JsonObject } from "#lib/contract/json-schema";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { tablesWith } from "#lib/platform/db/find-text.fixture";
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

/** A local application that the user signs in to. */
async function signIn(): Promise<string> {
  const { workspaceId, userId } = stage.workspace;
  const fields = { domain: "example.bitrix24.com", client_id: APPLICATION.id, client_secret: APPLICATION.secret };
  const target = { connector: "bitrix24", auth: "oauth2_authorization_code", name: "Application", fields };
  const { authorize_url: url } = await startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
  expect(new URL(url).pathname).toBe("/oauth/authorize/");
  const query = new URLSearchParams({ code: "c", state: new URL(url).searchParams.get("state") ?? "" });
  const taken = (await takeAuthorization(userId, query.get("state") ?? "")) ?? expect.fail("nothing was started");
  const finished = await finishAuthorization({ begun: taken, userId, actor: TEST_ACTOR, query });
  return finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
}

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

async function open() {
  const connectionId = await connect();
  const { workspaceId } = stage.workspace;
  return (operation: string, params: JsonObject) => callAs(workspaceId, connectionId, "bitrix24", operation, params);
}

describe("operations", () => {
  test("each returns what the API responds", async () => {
    const call = await open();
    for (const [name, { guide }] of Object.entries(BITRIX24_CONNECTOR.operations)) {
      expect(guide?.output.safeParse(await call(name, guide?.example ?? {})).error, name).toBeUndefined();
    }
  });

  test("fields use Bitrix24's names, and the webhook code is only in the path", async () => {
    const call = await open();
    await call("create_contact", {
      name: "Ada",
      email: "ada@example.com",
      assigned_by_id: "7",
      fields: { UF_CRM_1: "x" },
    });
    const sent = stage.vendor.requests.at(-1);
    expect(sent?.path).toMatch(/^\/rest\/1\/\w+\/crm\.contact\.add$/);
    expect(sent?.json).toEqual({
      fields: {
        NAME: "Ada",
        EMAIL: [{ VALUE: "ada@example.com", VALUE_TYPE: "WORK" }],
        ASSIGNED_BY_ID: 7,
        UF_CRM_1: "x",
      },
    });
  });

  test("an error follows its error code and quotes Bitrix24's message", async () => {
    const call = await open();
    const failures: [number, string, object][] = [
      [503, "QUERY_LIMIT_EXCEEDED", { code: "RATE_LIMITED", retryAfterMs: 1_000 }],
      [429, "OPERATION_TIME_LIMIT", { code: "RATE_LIMITED" }],
      [401, "expired_token", { code: "AUTH_EXPIRED" }],
      [402, "PAYMENT_REQUIRED", { code: "VALIDATION_ERROR" }],
      [403, "insufficient_scope", { code: "VALIDATION_ERROR" }],
      [500, "INTERNAL_SERVER_ERROR", { code: "UPSTREAM_ERROR" }],
      [200, "ERROR_CORE", { code: "VALIDATION_ERROR" }],
    ];
    for (const [status, error, expected] of failures) {
      stage.vendor.failures.push({ status, json: { error, error_description: "Said Bitrix24" } });
      const message = expect.stringContaining(`${error}: Said Bitrix24`);
      await expect(call("get_deal", { id: 37 }), error).rejects.toMatchObject({ ...expected, message });
    }
    await expect(call("get_deal", { id: 1 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
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
