import { afterAll, describe, expect, test } from "vitest";
import { callVendor, type VendorConnection } from "#lib/connectors/sdk/call-vendor.fixture";
import type { TestVendor } from "#lib/connectors/sdk/vendor.fixture";
import { INBOUND_CODE, startBitrix24 } from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { KOMMO_TOKEN, startKommo } from "#lib/connectors/vendors/kommo/kommo.fixture";
import { MAX_CHAT, MAX_TOKEN, startMax } from "#lib/connectors/vendors/max/max.fixture";

const [kommo, bitrix24, hubspot, max] = await Promise.all([startKommo(), startBitrix24(), startHubSpot(), startMax()]);
afterAll(() => {
  for (const vendor of [kommo, bitrix24, hubspot, max]) vendor.close();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Paged {
  operation: string;
  connection(): VendorConnection;
  vendor(): TestVendor;
  /** Creates this many objects. */
  fill(count: number): void;
  params: object;
  /** The size of the pages that the operation follows. */
  size: number;
  /** Whether pages can be of any size, so that no extra items are returned. */
  isExact: boolean;
  items(answer: unknown): unknown[];
  /** Returns the params that request the rest, or null if the response says that nothing is left. */
  rest(answer: unknown): object | null;
}

const results = (answer: unknown) => (answer as { results: unknown[] }).results;
const items = (answer: unknown) => (answer as { items: unknown[] }).items;

const hubspotPages = {
  connection: () => ({ connector: "hubspot", settings: { base_url: hubspot.url }, headers: bearer(HUBSPOT_TOKEN) }),
  vendor: () => hubspot,
  fill: (count: number) => {
    hubspot.objects.contacts = [];
    for (let index = 0; index < count; index += 1) hubspot.add("contacts", { email: `${index}@example.com` });
  },
  params: { limit: 4 },
  size: 4,
  isExact: true,
  items: results,
  rest: (answer: unknown) => {
    const after = (answer as { paging?: { next: { after: string } } }).paging?.next.after;
    return after === undefined ? null : { after };
  },
};

const CASES: Paged[] = [
  {
    operation: "list_leads",
    connection: () => ({
      connector: "kommo",
      settings: { base_url: `${kommo.url}/api/v4` },
      headers: bearer(KOMMO_TOKEN),
    }),
    vendor: () => kommo,
    fill: (count) => {
      kommo.rows.leads = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: "Lead" }));
    },
    params: { limit: 4 },
    size: 4,
    isExact: false,
    items,
    rest: (answer) => {
      const { page, has_more } = answer as { page: number; has_more: boolean };
      return has_more ? { page: page + 1 } : null;
    },
  },
  {
    operation: "list_deals",
    connection: () => ({
      connector: "bitrix24",
      settings: { base_url: `${bitrix24.url}/rest/1/${INBOUND_CODE}` },
      headers: {},
    }),
    vendor: () => bitrix24,
    fill: (count) => {
      bitrix24.rows["crm.deal"] = Array.from({ length: count }, (_, index) => ({ ID: String(index + 1) }));
    },
    params: {},
    size: 50,
    isExact: false,
    items,
    rest: (answer) => {
      const { next } = answer as { next: number | null };
      return next === null ? null : { start: next };
    },
  },
  { ...hubspotPages, operation: "list_contacts" },
  { ...hubspotPages, operation: "search_contacts" },
  {
    operation: "list_members",
    connection: () => ({ connector: "max", settings: { base_url: max.url }, headers: { authorization: MAX_TOKEN } }),
    vendor: () => max,
    fill: (count) => {
      max.members = Array.from({ length: count }, (_, index) => ({ user_id: index, first_name: "A", is_bot: false }));
    },
    params: { chat_id: MAX_CHAT, count: 4 },
    size: 4,
    isExact: true,
    items: (answer) => (answer as { members: unknown[] }).members,
    rest: (answer) => {
      const { marker } = answer as { marker: number | null };
      return marker === null ? null : { marker };
    },
  },
];

describe.each(CASES)("$operation", ({ operation, connection, vendor, fill, params, size, isExact, ...read }) => {
  const call = (more: object, beforeSend?: () => void) =>
    callVendor(connection(), operation, { ...params, ...more }, beforeSend);

  test("follows three pages to the end, and returns one page by default", async () => {
    fill(size * 2 + 1);
    const all = await call({ max_items: 1_000 });
    expect([read.items(all).length, read.rest(all)]).toEqual([size * 2 + 1, null]);
    expect(new Set(read.items(all).map((item) => JSON.stringify(item))).size).toBe(size * 2 + 1);
    const one = await call({});
    expect(read.items(one)).toEqual(read.items(all).slice(0, size));
    expect(read.rest(one)).not.toBeNull();
  });

  test("stops at the requested number and returns the cursor of the rest", async () => {
    fill(size * 3);
    const cut = await call({ max_items: size * 2 });
    expect(read.items(cut)).toHaveLength(size * 2);
    const rest = await call({ ...read.rest(cut), max_items: 1_000 });
    expect([read.items(rest).length, read.rest(rest)]).toEqual([size, null]);
    expect(read.items(await call({ max_items: size + 1 }))).toHaveLength(isExact ? size + 1 : size * 2);
  });

  test("returns portions smaller than a page, each continuing after the previous one", async () => {
    fill(size * 2);
    const given: unknown[] = [];
    let next: object | null = {};
    for (let portion = 0; next !== null && portion < size; portion += 1) {
      const answer: unknown = await call({ ...next, max_items: size - 1 });
      given.push(...read.items(answer));
      next = read.rest(answer);
    }
    expect([given, next]).toEqual([read.items(await call({ max_items: 1_000 })), null]);
  });

  test("returns nothing from an empty collection", async () => {
    fill(0);
    const none = await call({ max_items: 10 });
    expect([read.items(none), read.rest(none)]).toEqual([[], null]);
  });

  test("fails as a whole if the second page is rejected, and keeps the retry delay", async () => {
    fill(size * 3);
    let sent = 0;
    const refuse = () => {
      sent += 1;
      if (sent === 2) vendor().failures.push({ status: 429, headers: { "retry-after": "7" }, json: {} });
    };
    const failed = call({ max_items: 1_000 }, refuse);
    await expect(failed).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 7_000 });
  });
});
