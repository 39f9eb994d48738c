import { afterAll, describe, expect, it, test } from "vitest";
import { describeConnectors, findConnectorOperations, findOperationSchema } from "#lib/connectors/describe-connectors";
import { findConnector } from "#lib/connectors/registry";
import { callVendor, serveVendor, type VendorConnection } from "#lib/connectors/sdk/call-vendor.fixture";
import { type OptionsLoader, pageOptions } from "#lib/connectors/sdk/page-options";
import type { TestVendor } from "#lib/connectors/sdk/vendor.fixture";
import { INBOUND_CODE, startBitrix24 } from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { KOMMO_TOKEN, startKommo } from "#lib/connectors/vendors/kommo/kommo.fixture";
import { readOptionSource } from "#lib/contract/action/field-options";
import { isJsonObject } from "#lib/support/json";

const vendors: TestVendor[] = [];
const connections: Record<string, VendorConnection> = {};
const kommo = await startKommo();
const hubspot = await startHubSpot();
const bitrix24 = await startBitrix24();
vendors.push(kommo, hubspot, bitrix24);
const add = (connector: string, base_url: string, authorization: string) => {
  connections[connector] = { connector, settings: { base_url }, headers: { authorization } };
};
add("kommo", `${kommo.url}/api/v4`, `Bearer ${KOMMO_TOKEN}`);
add("hubspot", hubspot.url, `Bearer ${HUBSPOT_TOKEN}`);
add("bitrix24", `${bitrix24.url}/rest/1/${INBOUND_CODE}`, "");
afterAll(() => {
  for (const vendor of vendors) vendor.close();
});

function connectionTo(connector: string): VendorConnection {
  return connections[connector] ?? expect.fail(`no ${connector} stands`);
}

async function list(connector: string, from: string, params: Record<string, string> = {}, query = "") {
  const load = findConnector(connector)?.options?.[from] ?? expect.fail(`${connector} lists no ${from}`);
  return pageOptions(load, serveVendor(connectionTo(connector)), { params, query, cursor: null });
}

test("an option field has a loader, and depends only on existing fields", () => {
  const used = new Set<string>();
  for (const { connector } of describeConnectors()) {
    for (const { operation } of findConnectorOperations(connector) ?? []) {
      const properties = findOperationSchema(connector, operation)?.params_schema.properties ?? {};
      for (const [field, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
        const source = readOptionSource(property);
        if (!source) continue;
        const named = `${connector}.${operation}.${field}`;
        expect(findConnector(connector)?.options?.[source.from], named).toBeTypeOf("function");
        // If an operation takes no pipeline, its stages come from all pipelines.
        for (const name of source.requires) expect(Object.keys(properties), named).toContain(name);
        used.add(`${connector}.${source.from}`);
      }
    }
    for (const from of Object.keys(findConnector(connector)?.options ?? {}))
      expect(used).toContain(`${connector}.${from}`);
  }
});

describe("the options of each service", () => {
  it.each([
    ["kommo", "users", {}, [{ value: 31, label: "Manager", hint: "manager@example.com" }]],
    [
      "kommo",
      "pipelines",
      {},
      [
        { value: 5, label: "Sales", hint: "main" },
        { value: 6, label: "Renewals" },
      ],
    ],
    ["kommo", "catalogs", {}, [{ value: 60, label: "Products" }]],
    ["kommo", "loss_reasons", {}, [{ value: 3, label: "Price" }]],
    [
      "kommo",
      "task_types",
      {},
      [
        { value: 1, label: "Call" },
        { value: 2, label: "Meeting" },
      ],
    ],
    [
      "bitrix24",
      "pipelines",
      {},
      [
        { value: 0, label: "General" },
        { value: 1, label: "Renewals" },
      ],
    ],
    ["bitrix24", "deal_stages", { category_id: "1" }, [{ value: "C1:NEW", label: "Asked" }]],
    ["bitrix24", "lead_stages", {}, [{ value: "NEW", label: "Unprocessed" }]],
    ["bitrix24", "sources", {}, [{ value: "WEB", label: "Website" }]],
    [
      "hubspot",
      "deal_pipelines",
      {},
      [
        { value: "default", label: "Sales" },
        { value: "p2", label: "Renewals" },
      ],
    ],
    ["hubspot", "deal_stages", { pipeline: "p2" }, [{ value: "asked", label: "Asked" }]],
    ["hubspot", "contacts_properties", {}, [{ value: "email", label: "Email", hint: "email" }]],
  ])("%s: %s of %j", async (connector, from, params, options) => {
    expect(await list(connector, from, params)).toEqual({ options, next_cursor: null });
  });

  it("stages from all pipelines name their pipeline", async () => {
    expect((await list("kommo", "stages", { pipeline_id: "6" })).options.map(({ value }) => value)).toEqual([
      142, 143, 601, 602,
    ]);
    const kommoStages = (await list("kommo", "stages")).options;
    expect(kommoStages).toContainEqual({ value: 501, label: "First contact", hint: "Sales" });
    expect(kommoStages.filter(({ value }) => value === 142)).toEqual([
      { value: 142, label: "Won", hint: "All pipelines" },
    ]);
    expect((await list("bitrix24", "deal_stages")).options).toContainEqual({
      value: "C1:NEW",
      label: "Asked",
      hint: "Renewals",
    });
    const names = (await list("hubspot", "deal_stages")).options.map(({ label, hint }) => `${label} of ${hint}`);
    expect(names).toEqual(["Appointment of Sales", "Asked of Renewals"]);
  });

  it("users without a name are shown by their email address", async () => {
    expect((await list("hubspot", "owners")).options).toEqual([
      { value: "77", label: "Ada Lovelace", hint: "ada@example.com" },
      { value: "78", label: "bob@example.com" },
    ]);
  });

  it("a service with pages is asked for the next page, and searches for words itself", async () => {
    const first = await list("bitrix24", "users");
    expect(first.options).toHaveLength(50);
    const load = findConnector("bitrix24")?.options?.users ?? expect.fail("no users");
    const service = serveVendor(connectionTo("bitrix24"));
    const second = await pageOptions(load, service, { params: {}, query: "", cursor: first.next_cursor });
    expect([second.options.length, second.next_cursor]).toEqual([10, null]);
    const found = await list("bitrix24", "users", {}, "No. 57");
    expect(found.options).toEqual([{ value: 57, label: "Ada No. 57", hint: "ada57@example.com" }]);
  });
});

describe("a page of options", () => {
  const service = {
    settings: {},
    send: () => expect.fail("it was sent"),
    signal: AbortSignal.timeout(10_000),
    now: () => new Date(),
  };
  const load: OptionsLoader = async () => ({
    options: Array.from({ length: 450 }, (_, index) => ({ value: index % 425, label: `Number ${index % 425}` })),
  });

  it("contains 200, each value once, and leads to the next page", async () => {
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = await pageOptions(load, service, { params: {}, query: "", cursor });
      expect(page.options.length).toBeLessThanOrEqual(200);
      seen.push(...page.options.map(({ value }) => value));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: 425 }, (_, index) => index));
  });

  it("contains those with all the words, in any order and case", async () => {
    const page = await pageOptions(load, service, { params: {}, query: "17 NUMBER", cursor: null });
    expect(page.options.map(({ value }) => value)).toEqual(
      [17, 117, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 217, 317, 417].filter((n) =>
        String(n).includes("17"),
      ),
    );
  });

  it("shows a value without a name as it is", async () => {
    const nameless: OptionsLoader = async () => ({ options: [{ value: 7, label: " ", hint: "" }] });
    const page = await pageOptions(nameless, service, { params: {}, query: "", cursor: null });
    expect(page.options).toEqual([{ value: 7, label: "7" }]);
  });
});

test("a deal's owner, pipeline and stage are written as properties, and explicit properties take precedence", async () => {
  const params = {
    properties: { dealname: "Renewal", pipeline: "p2" },
    owner_id: "77",
    pipeline: "default",
    stage: "asked",
  };
  await callVendor(connectionTo("hubspot"), "create_deal", params);
  expect(hubspot.requests.at(-1)?.json).toEqual({
    properties: { dealname: "Renewal", pipeline: "p2", hubspot_owner_id: "77", dealstage: "asked" },
    associations: [],
  });
  await callVendor(connectionTo("hubspot"), "create_contact", { properties: { email: "a@example.com" } });
  expect(hubspot.requests.at(-1)?.json).toEqual({ properties: { email: "a@example.com" }, associations: [] });
});
