import { describe, expect, test } from "vitest";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import { KOMMO_CONNECTOR } from "#lib/connectors/vendors/kommo/connector";
import { KOMMO_APPLICATION, KOMMO_TOKEN, startKommo } from "#lib/connectors/vendors/kommo/kommo.fixture";
import { parseDelivery } from "#lib/connectors/vendors/kommo/parse-delivery";
import { KOMMO_TRIGGERS } from "#lib/connectors/vendors/kommo/triggers";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { tablesWith } from "#lib/platform/db/find-text.fixture";

const stage = useConnectorStage("kommo", startKommo);
const connect = () => stage.connect("long_lived_token", { domain: "example.kommo.com", token: KOMMO_TOKEN });
const example = (event: string) => KOMMO_TRIGGERS[event]?.example ?? {};

/** Our identifiers with the webhook setting that subscribes to each event, and its place in a delivery. */
const DELIVERIES: Record<string, [setting: string, kind: string, action: string]> = {
  lead_added: ["add_lead", "leads", "add"],
  lead_edited: ["update_lead", "leads", "update"],
  lead_deleted: ["delete_lead", "leads", "delete"],
  lead_restored: ["restore_lead", "leads", "restore"],
  lead_status_changed: ["status_lead", "leads", "status"],
  lead_responsible_changed: ["responsible_lead", "leads", "responsible"],
  contact_added: ["add_contact", "contacts", "add"],
  contact_edited: ["update_contact", "contacts", "update"],
  contact_deleted: ["delete_contact", "contacts", "delete"],
  contact_restored: ["restore_contact", "contacts", "restore"],
  contact_responsible_changed: ["responsible_contact", "contacts", "responsible"],
  company_added: ["add_company", "contacts", "add"],
  company_edited: ["update_company", "contacts", "update"],
  company_deleted: ["delete_company", "contacts", "delete"],
  company_restored: ["restore_company", "companies", "restore"],
  company_responsible_changed: ["responsible_company", "companies", "responsible"],
  task_added: ["add_task", "task", "add"],
  task_edited: ["update_task", "task", "update"],
  task_deleted: ["delete_task", "task", "delete"],
  task_responsible_changed: ["responsible_task", "task", "responsible"],
  unsorted_added: ["add_unsorted", "unsorted", "add"],
  unsorted_edited: ["update_unsorted", "unsorted", "update"],
  unsorted_deleted: ["delete_unsorted", "unsorted", "delete"],
  note_lead_added: ["note_lead", "leads", "note"],
  note_contact_added: ["note_contact", "contacts", "note"],
  note_company_added: ["note_company", "contacts", "note"],
  message_received: ["add_message", "message", "add"],
  talk_added: ["add_talk", "talk", "add"],
  talk_edited: ["update_talk", "talk", "update"],
};
const CATALOG_EVENTS = ["catalog_element_added", "catalog_element_updated", "catalog_element_deleted"];

test("the triggers are those of the contract", () => {
  expect(Object.keys(KOMMO_TRIGGERS).sort()).toEqual([...Object.keys(DELIVERIES), ...CATALOG_EVENTS].sort());
});

describe("a webhook of the account", () => {
  test("starts a workflow once for each of its events", async () => {
    stage.vendor.hooks = [];
    const connection = await connect();
    const triggers = await Promise.all(
      Object.keys(DELIVERIES).map(async (event) => [event, await stage.listenTo(connection, event)] as const),
    );
    await stage.work();
    const settings = Object.values(DELIVERIES).map(([setting]) => setting);
    expect(stage.vendor.hooks.map((hook) => hook.settings.toSorted())).toEqual([settings.toSorted()]);
    // Kommo repeats a delivery that it believes failed.
    for (const _ of ["once", "again"]) {
      const told = Object.entries(DELIVERIES).map(([event, [setting, kind, action]]) => {
        const row = action === "note" ? { note: example(event) } : example(event);
        return stage.vendor.happens(setting, kind, action, [row]);
      });
      expect((await Promise.all(told)).flat()).toEqual(told.map(() => 200));
    }
    for (const [event, trigger] of triggers) {
      expect(await stage.outputsOf(trigger), event).toEqual([
        {
          event,
          id: expect.any(String),
          occurred_at: expect.toSatisfy((at: unknown) => at === null || typeof at === "string"),
          received_at: expect.stringMatching(/Z$/),
          connector: "kommo",
          connection_id: connection,
          data: example(event),
        },
      ]);
    }
  });

  test("serves all triggers of a connection, changes with them, and is removed with the last one", async () => {
    stage.vendor.hooks = [];
    const connection = await connect();
    const added = await stage.listenTo(connection, "lead_added");
    const edited = await stage.listenTo(connection, "contact_edited");
    await stage.work();
    expect(stage.vendor.hooks).toMatchObject([{ settings: ["add_lead", "update_contact"] }]);
    const { workspaceId, userId } = stage.workspace;
    for (const { workflowId } of [added, edited]) {
      await setTriggerStatus({ workspaceId, userId, actor: TEST_ACTOR }, workflowId, "paused");
      await stage.work();
    }
    expect(stage.vendor.hooks).toEqual([]);
  });

  test("a delivery without the key starts nothing", async () => {
    stage.vendor.hooks = [];
    const trigger = await stage.listenTo(await connect(), "lead_added");
    await stage.work();
    for (const hook of stage.vendor.hooks) hook.destination = hook.destination.replace(/.$/, "_");
    expect(await stage.vendor.happens("add_lead", "leads", "add", [example("lead_added")])).toEqual([401]);
    expect(await stage.outputsOf(trigger)).toEqual([]);
  });

  test("a delivery may contain several objects of several types", () => {
    const body =
      "leads[add][0][id]=1&leads[add][1][id]=2&leads[delete]=3&task[update][0][0][id]=4&account[id]=9&x[add][0][id]=5&tasks[add][0][id]=6&talks[update][0][talk_id]=7";
    expect(parseDelivery(Buffer.from(body)).map(({ event, data }) => [event, data.id ?? data.talk_id])).toEqual([
      ["lead_added", "1"],
      ["lead_added", "2"],
      ["lead_deleted", "3"],
      ["task_edited", "4"],
      ["task_added", "6"],
      ["talk_edited", "7"],
    ]);
    expect(parseDelivery(Buffer.from("message[add][0][id]=m&message[add][0][type]=outgoing"))).toEqual([]);
  });
});

test("list elements start workflows when they are added, edited and deleted", async () => {
  const connection = await connect();
  const elements = stage.vendor.rows["catalogs/60/elements"] ?? [];
  const triggers = await Promise.all(
    CATALOG_EVENTS.map((event) => stage.listenTo(connection, event, { catalog_id: 60 })),
  );
  await stage.work();
  await stage.work({ isSoon: true });
  elements.push({ id: 611, name: "Table", created_at: 1_790_000_500, updated_at: 1_790_000_500 });
  await stage.work({ isSoon: true });
  Object.assign(elements[0] ?? {}, { name: "Armchair", updated_at: 1_790_000_900 });
  await stage.work({ isSoon: true });
  elements.pop();
  await stage.work({ isSoon: true });
  const outputs = await Promise.all(triggers.map((trigger) => stage.outputsOf(trigger)));
  expect(outputs.map((of) => of.map(({ data }) => data))).toMatchObject([
    [{ id: 611, name: "Table", catalog_id: 60 }],
    [{ id: 610, name: "Armchair" }],
    [{ id: 611, catalog_id: 60 }],
  ]);
});

test("a list of more than 5,000 elements is read in several turns, and each change starts one run", async () => {
  const connection = await connect();
  const at = { created_at: 1_790_000_000, updated_at: 1_790_000_000 };
  const elements = Array.from({ length: 10_300 }, (_, index) => ({ id: 20_000 + index, name: `No. ${index}`, ...at }));
  stage.vendor.rows["catalogs/61/elements"] = elements;
  const triggers = await Promise.all(
    CATALOG_EVENTS.map((event) => stage.listenTo(connection, event, { catalog_id: 61 })),
  );
  await stage.work();
  await stage.work({ isSoon: true });
  elements.push({ id: 99_999, name: "Last", ...at });
  const changed = elements[1] ?? expect.fail("no elements");
  Object.assign(changed, { name: "Changed", updated_at: 1_790_000_900 });
  const [removed] = elements.splice(7_000, 1);
  await stage.work({ isSoon: true });
  await stage.work({ isSoon: true });
  const outputs = await Promise.all(triggers.map((trigger) => stage.outputsOf(trigger)));
  expect(outputs.map((of) => of.map(({ data }) => data))).toMatchObject([
    [{ id: 99_999 }],
    [{ id: changed.id, name: "Changed" }],
    [{ id: removed?.id }],
  ]);
  expect(await stage.listeningOf(triggers[0] ?? expect.fail("no trigger"))).toMatchObject({ error: null });
});

/** The value that the templates of an example resolve to. */
const FILLED: JsonObject = { uid: "0c2f4d" };

/** One connection, and a function that calls operations with it. */
async function open() {
  const connectionId = await connect();
  const { workspaceId } = stage.workspace;
  return (operation: string, params: JsonObject) => callAs(workspaceId, connectionId, "kommo", operation, params);
}

test("a user signs in at the account, and the tokens are renewed", async () => {
  const { workspaceId, userId } = stage.workspace;
  const fields = {
    domain: "Example.amocrm.ru/leads",
    client_id: KOMMO_APPLICATION.id,
    client_secret: KOMMO_APPLICATION.secret,
  };
  const target = { connector: "kommo", auth: "oauth2_authorization_code", name: "Application", fields };
  const begun = await startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
  const state = new URL(begun.authorize_url).searchParams.get("state") ?? "";
  const query = new URLSearchParams({ code: "c", state, referer: "elsewhere.amocrm.ru" });
  const taken = (await takeAuthorization(userId, query.get("state") ?? "")) ?? expect.fail("nothing was started");
  const finished = await finishAuthorization({ begun: taken, userId, actor: TEST_ACTOR, query });
  const connectionId = finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason);
  const account = await callAs(workspaceId, connectionId, "kommo", "get_account", {});
  expect(account).toMatchObject({ name: "Example" });
  const asked = stage.vendor.requests.filter(({ path }) => path === "/oauth2/access_token");
  expect(asked.map(({ json }) => json.grant_type)).toEqual(["authorization_code", "refresh_token"]);
});

describe("operations", () => {
  test("each returns what the API responds", async () => {
    const call = await open();
    for (const [name, { guide }] of Object.entries(KOMMO_CONNECTOR.operations)) {
      const params = { ...guide?.example, ...(guide?.example.uid ? FILLED : {}) };
      expect(guide?.output.safeParse(await call(name, params)).error, name).toBeUndefined();
    }
  });

  test("fields are sent where the API expects them", async () => {
    const call = await open();
    const contact = { name: "Ada", email: "ada@example.com", tags: ["Web"], responsible_user_id: "31" };
    await call("create_contact", contact);
    expect(JSON.parse(stage.vendor.requests.at(-1)?.text ?? "")).toEqual([
      {
        name: "Ada",
        responsible_user_id: 31,
        custom_fields_values: [{ field_code: "EMAIL", values: [{ value: "ada@example.com", enum_code: "WORK" }] }],
        _embedded: { tags: [{ name: "Web" }] },
      },
    ]);
    await call("list_leads", {
      filter: { pipeline_id: 5, updated_at: { from: 7 } },
      order: { id: "asc" },
      with: ["contacts"],
    });
    expect(Object.fromEntries(stage.vendor.requests.at(-1)?.query ?? [])).toEqual({
      "filter[pipeline_id]": "5",
      "filter[updated_at][from]": "7",
      "order[id]": "asc",
      with: "contacts",
    });
  });

  test("an empty page is a page; an unknown id is an error", async () => {
    const call = await open();
    expect(await call("search_leads", { query: "nobody" })).toEqual({ items: [], page: 1, has_more: false });
    await expect(call("get_lead", { id: 1 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("a rejected field is named", async () => {
    const call = await open();
    const refused = { code: "VALIDATION_ERROR", message: expect.stringContaining("text: is required") };
    await expect(call("add_lead_note", { id: 512, text: "" })).rejects.toMatchObject(refused);
    const link = { id: 512, to_entity_id: 610, to_entity_type: "catalog_elements" };
    await expect(call("link_lead", link)).rejects.toMatchObject({ message: "catalog_id: is required" });
  });

  test("an error follows its status and quotes Kommo's message", async () => {
    const call = await open();
    const codes = { 402: "VALIDATION_ERROR", 403: "RATE_LIMITED", 429: "RATE_LIMITED", 500: "UPSTREAM_ERROR" };
    for (const [status, code] of Object.entries(codes)) {
      const json = { title: "No", detail: "Said Kommo" };
      stage.vendor.failures.push({ status: Number(status), headers: { "retry-after": "3" }, json });
      const retry = code === "VALIDATION_ERROR" ? {} : { retryAfterMs: 3_000 };
      const failed = { code, message: expect.stringContaining("Said Kommo"), ...retry };
      await expect(call("get_lead", { id: 512 }), status).rejects.toMatchObject(failed);
    }
    stage.vendor.token = "another";
    await expect(call("get_account", {})).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
    stage.vendor.token = KOMMO_TOKEN;
  });
});

test("the credentials of a connection are stored nowhere in plain text", async () => {
  const connectionId = await connect();
  await stage.listenTo(connectionId, "lead_added");
  await stage.work();
  const key = new URL(stage.vendor.hooks.at(-1)?.destination ?? "").searchParams.get("key") ?? expect.fail("no key");
  for (const secret of [KOMMO_TOKEN, KOMMO_APPLICATION.secret, key]) expect(await tablesWith(secret)).toEqual([]);
});
