import { afterAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { findAuth, findConnector, findOperation } from "#lib/connectors/registry";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import type { ConnectorDefinition, ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { TestVendor, VendorRequest } from "#lib/connectors/sdk/vendor.fixture";
import { INBOUND_URL, startBitrix24 } from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { BOOK, startSheets } from "#lib/connectors/vendors/google-sheets/google-sheets.fixture";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { MAX_TOKEN, startMax } from "#lib/connectors/vendors/max/max.fixture";
import {
  findDifferences,
  type PublishedFacts,
  type PublishedField,
  readPublishedFacts,
} from "#lib/connectors/vendors/published-facts.fixture";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

interface CheckedVendor {
  connector: string;
  /** The folder with the facts. */
  folder: string;
  start(): Promise<TestVendor>;
  auth: string;
  values: Record<string, string>;
  /** The setting `base_url`, at the server's URL. */
  base: string;
  /** What of the path is not in the published paths: credentials, and the base. Its group stays. */
  prefix: RegExp;
  /** The params of triggers that have some. */
  triggerParams?: JsonObject;
  /** The params that options depend on. */
  optionParams?: Readonly<Record<string, string>>;
  /** Differences that are intended, each with its reason. */
  intended?: Readonly<Record<string, RegExp>>;
}

const VENDORS: readonly CheckedVendor[] = [
  {
    connector: "telegram",
    folder: "telegram",
    start: startTelegram,
    auth: "bot_token",
    values: { token: BOT_TOKEN },
    base: "",
    prefix: /^\/bot[^/]+()/,
  },
  {
    connector: "max",
    folder: "max",
    start: startMax,
    auth: "bot_token",
    values: { token: MAX_TOKEN },
    base: "",
    prefix: /^()/,
  },
  {
    connector: "hubspot",
    folder: "hubspot",
    start: startHubSpot,
    auth: "private_app",
    values: { token: HUBSPOT_TOKEN },
    base: "",
    prefix: /^()/,
    intended: {
      "The documents list every field of a search as required, and the guide's own examples leave out all but the filters":
        /search body\.(after|filterGroups|properties|sorts) is required/,
    },
  },
  {
    connector: "google_sheets",
    folder: "google-sheets",
    start: startSheets,
    auth: "service_account",
    values: { access_token: "canary-token" },
    base: "",
    prefix: /^()/,
    triggerParams: { spreadsheet_id: BOOK, sheet: "Orders" },
    optionParams: { spreadsheet_id: BOOK, sheet: "Orders" },
  },
  {
    connector: "bitrix24",
    folder: "bitrix24",
    start: startBitrix24,
    auth: "inbound_webhook",
    values: { webhook_url: INBOUND_URL.replace(/\/$/, "") },
    base: "/rest",
    prefix: /^\/rest(\/api)?\/1\/[^/]+/,
    intended: {
      "Their replacement, crm.item, answers with other field names; moving to it would change the output of published workflows":
        /POST \/crm\.(deal|lead|contact|company)\.[a-z.]+ is deprecated/,
      "Comments from before the chats of tasks are nowhere else": /list_task_comments: .* is deprecated/,
    },
  },
];

const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
const started: TestVendor[] = [];
afterAll(() => {
  for (const vendor of started) vendor.close();
});

async function serve({ connector, auth, values, base, start }: CheckedVendor) {
  const vendor = await start();
  started.push(vendor);
  const settings = { ...values, base_url: vendor.url + base };
  const definition = findAuth(connector, auth) ?? expect.fail(`${connector} has no ${auth}`);
  const service: ServiceContext = {
    settings,
    signal: AbortSignal.timeout(60_000),
    now: () => new Date(),
    send: (request) => client.send(definition.sign(request, settings)),
  };
  return { vendor, service };
}

/** The params of an operation's example, and the same with each optional param added by itself. */
function paramsOf(params: z.ZodType, example: JsonObject): JsonObject[] {
  const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
  const names = Object.keys(schema.properties ?? {}).filter((name) => !Object.hasOwn(example, name));
  const variants = names.flatMap((name) => {
    const fitting = CANDIDATES.find((value) => params.safeParse({ ...example, [name]: value }).success);
    return fitting === undefined ? [] : [{ ...example, [name]: fitting }];
  });
  return [example, ...variants];
}
const CANDIDATES = [true, 7, "7", ["7"], "https://example.com/a.png", "2026-01-01T00:00:00Z", "HTML"];

/** Every request of every operation and trigger. A failure after a request is the test server's, which has no such data. */
async function collectRequests(vendor: CheckedVendor): Promise<Map<string, VendorRequest[]>> {
  const { vendor: server, service } = await serve(vendor);
  const connector: ConnectorDefinition = findConnector(vendor.connector) ?? expect.fail("no such connector");
  const sent = new Map<string, VendorRequest[]>();
  const record = async (name: string, call: () => Promise<unknown>) => {
    const before = server.requests.length;
    const result = await call().catch(() => null);
    sent.set(name, [...(sent.get(name) ?? []), ...server.requests.slice(before)]);
    return result;
  };
  for (const [name, { guide }] of Object.entries(connector.operations)) {
    const operation = findOperation(vendor.connector, name);
    if (guide === undefined || operation === null) continue;
    const { settings, send } = service;
    const connection = { id: "test", name: "Test", connector: vendor.connector, settings, send };
    for (const params of paramsOf(guide.params, guide.example)) {
      await record(name, () =>
        operation.call(params, {
          connection,
          send: service.send,
          signal: service.signal,
          now: service.now,
          idempotencyKey: "run:step:",
          traceparent: "00-0-0-00",
          compute: INLINE_COMPUTE,
        }),
      );
    }
  }
  for (const [name, load] of Object.entries(connector.options ?? {})) {
    await record(`options ${name}`, () =>
      load(service, { params: vendor.optionParams ?? {}, query: "", cursor: null }),
    );
  }
  const events = Object.keys(connector.triggers ?? {});
  const { webhook, poll } = connector.inbox ?? {};
  const subscription = { url: "https://signalbox.example.com/in/1", secret: "a".repeat(64), state: null };
  if (webhook) {
    await record("triggers", () => webhook.subscribe(service, { ...subscription, events, isFirst: true }));
    await record("triggers", () => webhook.unsubscribe(service, subscription));
  }
  if (poll) await pollTwice((cursor) => record("triggers", () => poll.list(service, { cursor, events })));
  for (const [event, { poll: own }] of Object.entries(connector.triggers ?? {})) {
    const params = vendor.triggerParams ?? {};
    if (own) await pollTwice((cursor) => record(event, () => own.list(service, { cursor, params })));
  }
  return sent;
}

async function pollTwice(list: (cursor: JsonObject | null) => Promise<unknown>): Promise<void> {
  const first = await list(null);
  const cursor = isJsonObject(first) && isJsonObject(first.cursor) ? first.cursor : {};
  await list(cursor);
}

/** Every difference between the requests of a connector and the facts, by the operation or trigger that sent it. */
function differencesOf(vendor: CheckedVendor, facts: PublishedFacts, sent: Map<string, VendorRequest[]>): string[] {
  const differences = [...sent].flatMap(([name, requests]) =>
    requests.flatMap((request) => {
      const path = request.path.replace(vendor.prefix, "$1");
      return findDifferences(facts, { ...request, path }).map((difference) => `${name}: ${difference}`);
    }),
  );
  return [...new Set(differences)].sort();
}

describe.each(VENDORS)("$connector", (vendor) => {
  it("sends only what the vendor publishes, and everything that the vendor requires", async () => {
    const sent = await collectRequests(vendor);
    const silent = [...sent].filter(([, requests]) => requests.length === 0).map(([name]) => name);
    expect(silent, "send no request").toEqual([]);
    const differences = differencesOf(vendor, readPublishedFacts(vendor.folder), sent);
    const intended = Object.entries(vendor.intended ?? {});
    for (const [reason, pattern] of intended) {
      expect(
        differences.some((one) => pattern.test(one)),
        `no longer needed: ${reason}`,
      ).toBe(true);
    }
    expect(differences.filter((one) => !intended.some(([, pattern]) => pattern.test(one)))).toEqual([]);
  });
});

test("a method, a param or a value that the vendor deprecates, removes or requires is named with its operation", async () => {
  const [telegram] = VENDORS;
  const vendor = telegram ?? expect.fail("no vendor");
  const facts = readPublishedFacts("telegram");
  const { "POST /deleteMessage": _, ...methods } = facts.methods;
  const change = (key: string, field: string, to: PublishedField) => {
    const method = facts.methods[key] ?? expect.fail(`no ${key}`);
    return { [key]: { ...method, body: { ...method.body, [field]: to } } };
  };
  const { caption: _caption, ...photo } = facts.methods["POST /sendPhoto"]?.body ?? {};
  const planted = {
    ...methods,
    ...change("POST /sendMessage", "text", { deprecated: true }),
    ...change("POST /setWebhook", "allowed_updates", { values: ["message", "callback_query", "my_chat_member"] }),
    ...change("POST /editMessageText", "link_preview_options", { required: true }),
    "POST /sendPhoto": { body: photo },
    "POST /sendDocument": { ...facts.methods["POST /sendDocument"], deprecated: true as const },
  };
  expect(differencesOf(vendor, { ...facts, methods: planted }, await collectRequests(vendor))).toEqual([
    "delete_message: POST /deleteMessage does not exist in Bot API 10.1",
    "edit_message_text: POST /editMessageText body.link_preview_options is required",
    "send_document: POST /sendDocument is deprecated",
    "send_message: POST /sendMessage body.text is deprecated",
    "send_photo: POST /sendPhoto body.caption does not exist",
    "triggers: POST /setWebhook body.allowed_updates does not accept channel_post",
    "triggers: POST /setWebhook body.allowed_updates does not accept chat_join_request",
  ]);
});
