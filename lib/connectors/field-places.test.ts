import { afterAll, describe, expect, test } from "vitest";
import { findOperationSchema } from "#lib/connectors/describe-connectors";
import { CONNECTORS } from "#lib/connectors/registry";
import { callVendor, resolveFor, type VendorConnection } from "#lib/connectors/sdk/call-vendor.fixture";
import { startVendor } from "#lib/connectors/sdk/vendor.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { PlacedField } from "#lib/core/expressions/places/resolve-params";

/** Lists the fields with a language as `operation.field: language`. */
function listPlaces(path: string, { place, fields, items }: PlacedField): string[] {
  if (place !== undefined)
    return [`${path}: ${typeof place === "function" ? "by the other fields" : JSON.stringify(place)}`];
  const own = Object.entries(fields ?? {}).flatMap(([name, field]) => listPlaces(`${path}.${name}`, field));
  return items ? [...own, ...listPlaces(`${path}[]`, items)] : own;
}

test("these fields have a language, in which a value is only data", () => {
  const places = CONNECTORS.flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([operation, { textPlaces = {} }]) =>
      Object.entries(textPlaces).flatMap(([field, place]) => listPlaces(`${name} ${operation}.${field}`, place)),
    ),
  );
  expect(places).toMatchInlineSnapshot(`
    [
      "http request.url: "url"",
      "http request.body: by the other fields",
      "email send.to: "addresses"",
      "email send.cc: "addresses"",
      "email send.bcc: "addresses"",
      "email send.from: "addresses"",
      "email send.reply_to: "addresses"",
      "email send.subject: "header"",
      "email send.html: "html"",
      "google_sheets append_row.values: {"by":"input","is":{"RAW":null},"otherwise":"cell"}",
      "google_sheets update_row.values: {"by":"input","is":{"RAW":null},"otherwise":"cell"}",
      "google_sheets upsert_row.values: {"by":"input","is":{"RAW":null},"otherwise":"cell"}",
      "google_sheets read_range.range: "range"",
      "google_sheets update_range.range: "range"",
      "google_sheets update_range.values: {"by":"input","is":{"RAW":null},"otherwise":"cell"}",
      "google_sheets clear_range.range: "range"",
      "hubspot get_contact.properties: "name"",
      "hubspot list_contacts.properties: "name"",
      "hubspot search_contacts.filter_groups[].filters[].value: {"by":"operator","is":{"CONTAINS_TOKEN":"token","NOT_CONTAINS_TOKEN":"token"},"otherwise":null}",
      "hubspot search_contacts.properties: "name"",
      "hubspot get_company.properties: "name"",
      "hubspot list_companies.properties: "name"",
      "hubspot search_companies.filter_groups[].filters[].value: {"by":"operator","is":{"CONTAINS_TOKEN":"token","NOT_CONTAINS_TOKEN":"token"},"otherwise":null}",
      "hubspot search_companies.properties: "name"",
      "hubspot get_deal.properties: "name"",
      "hubspot list_deals.properties: "name"",
      "hubspot search_deals.filter_groups[].filters[].value: {"by":"operator","is":{"CONTAINS_TOKEN":"token","NOT_CONTAINS_TOKEN":"token"},"otherwise":null}",
      "hubspot search_deals.properties: "name"",
      "hubspot get_ticket.properties: "name"",
      "hubspot list_tickets.properties: "name"",
      "hubspot search_tickets.filter_groups[].filters[].value: {"by":"operator","is":{"CONTAINS_TOKEN":"token","NOT_CONTAINS_TOKEN":"token"},"otherwise":null}",
      "hubspot search_tickets.properties: "name"",
      "hubspot get_note.properties: "name"",
      "hubspot list_notes.properties: "name"",
      "hubspot search_notes.filter_groups[].filters[].value: {"by":"operator","is":{"CONTAINS_TOKEN":"token","NOT_CONTAINS_TOKEN":"token"},"otherwise":null}",
      "hubspot search_notes.properties: "name"",
      "hubspot create_note.properties.hs_note_body: "html"",
      "hubspot create_note.body: "html"",
      "hubspot update_note.properties.hs_note_body: "html"",
      "hubspot update_note.body: "html"",
      "kommo get_lead.with: "name"",
      "kommo list_leads.with: "name"",
      "kommo search_leads.with: "name"",
      "kommo get_contact.with: "name"",
      "kommo list_contacts.with: "name"",
      "kommo search_contacts.with: "name"",
      "kommo get_company.with: "name"",
      "kommo list_companies.with: "name"",
      "kommo search_companies.with: "name"",
      "bitrix24 create_deal.comments: "bbcode"",
      "bitrix24 create_deal.fields.COMMENTS: "bbcode"",
      "bitrix24 create_deal.fields.DESCRIPTION: "bbcode"",
      "bitrix24 update_deal.comments: "bbcode"",
      "bitrix24 update_deal.fields.COMMENTS: "bbcode"",
      "bitrix24 update_deal.fields.DESCRIPTION: "bbcode"",
      "bitrix24 add_deal_comment.comment: "bbcode"",
      "bitrix24 create_contact.comments: "bbcode"",
      "bitrix24 create_contact.fields.COMMENTS: "bbcode"",
      "bitrix24 create_contact.fields.DESCRIPTION: "bbcode"",
      "bitrix24 update_contact.comments: "bbcode"",
      "bitrix24 update_contact.fields.COMMENTS: "bbcode"",
      "bitrix24 update_contact.fields.DESCRIPTION: "bbcode"",
      "bitrix24 add_contact_comment.comment: "bbcode"",
      "bitrix24 create_lead.comments: "bbcode"",
      "bitrix24 create_lead.fields.COMMENTS: "bbcode"",
      "bitrix24 create_lead.fields.DESCRIPTION: "bbcode"",
      "bitrix24 update_lead.comments: "bbcode"",
      "bitrix24 update_lead.fields.COMMENTS: "bbcode"",
      "bitrix24 update_lead.fields.DESCRIPTION: "bbcode"",
      "bitrix24 add_lead_comment.comment: "bbcode"",
      "bitrix24 create_company.comments: "bbcode"",
      "bitrix24 create_company.fields.COMMENTS: "bbcode"",
      "bitrix24 create_company.fields.DESCRIPTION: "bbcode"",
      "bitrix24 update_company.comments: "bbcode"",
      "bitrix24 update_company.fields.COMMENTS: "bbcode"",
      "bitrix24 update_company.fields.DESCRIPTION: "bbcode"",
      "bitrix24 add_company_comment.comment: "bbcode"",
      "bitrix24 create_task.description: "bbcode"",
      "bitrix24 create_task.fields.COMMENTS: "bbcode"",
      "bitrix24 create_task.fields.DESCRIPTION: "bbcode"",
      "bitrix24 update_task.description: "bbcode"",
      "bitrix24 update_task.fields.COMMENTS: "bbcode"",
      "bitrix24 update_task.fields.DESCRIPTION: "bbcode"",
      "bitrix24 add_task_comment.comment: "bbcode"",
      "max send_message.text: {"by":"format","is":{"html":"html","markdown":"markdown"},"otherwise":null}",
      "max send_message.buttons[][].url: "url"",
      "max send_message.attachments[].payload.url: "url"",
      "max edit_message.text: {"by":"format","is":{"html":"html","markdown":"markdown"},"otherwise":null}",
      "max edit_message.buttons[][].url: "url"",
      "max edit_message.attachments[].payload.url: "url"",
      "max answer_callback.text: {"by":"format","is":{"html":"html","markdown":"markdown"},"otherwise":null}",
      "max answer_callback.buttons[][].url: "url"",
      "max answer_callback.attachments[].payload.url: "url"",
      "telegram send_message.text: {"by":"parse_mode","is":{"HTML":"html","MarkdownV2":"markdown_v2"},"otherwise":null}",
      "telegram send_message.reply_markup.inline_keyboard[][].url: "url"",
      "telegram edit_message_text.text: {"by":"parse_mode","is":{"HTML":"html","MarkdownV2":"markdown_v2"},"otherwise":null}",
      "telegram edit_message_text.reply_markup.inline_keyboard[][].url: "url"",
      "telegram send_photo.photo: "url"",
      "telegram send_photo.caption: {"by":"parse_mode","is":{"HTML":"html","MarkdownV2":"markdown_v2"},"otherwise":null}",
      "telegram send_document.document: "url"",
      "telegram send_media_group.media[].media: "url"",
      "telegram send_media_group.media[].caption: {"by":"parse_mode","is":{"HTML":"html","MarkdownV2":"markdown_v2"},"otherwise":null}",
    ]
  `);
});

test("the schema that agents and the editor read says how values are written", () => {
  const described = (connector: string, operation: string, field: string) => {
    const schema = findOperationSchema(connector, operation)?.params_schema as { properties?: JsonObject } | undefined;
    return (schema?.properties?.[field] as { description?: string } | undefined)?.description;
  };
  expect(described("email", "send", "html")).toBe(
    "Values of expressions are escaped as HTML; raw(…) writes a value as it is.",
  );
  expect(described("email", "send", "to")).toBe(
    "One or more addresses, separated by commas. Values of expressions are one address each, or a list of addresses; raw(…) writes a value as it is.",
  );
  expect(described("telegram", "send_message", "text")).toContain(
    "escaped as HTML if parse_mode is HTML, escaped as MarkdownV2 if parse_mode is MarkdownV2;",
  );
  expect(described("google_sheets", "append_row", "values")).toContain("never a formula unless input is RAW;");
  expect(described("http", "request", "url")).toContain("encoded for their place in the URL;");
});

const vendor = await startVendor(() => ({
  json: { ok: true, success: true, result: [], results: [], total: 0, id: 1 },
}));
afterAll(() => vendor.close());

/** Calls an operation with templates that read `v`, and returns the request that the vendor got. */
async function requestOf(connector: string, operation: string, params: JsonObject, v: unknown) {
  const connection: VendorConnection = { connector, settings: { base_url: vendor.url }, headers: {} };
  await callVendor(connection, operation, resolveFor(connector, operation, params, { v })).catch(() => null);
  const request = vendor.requests.at(-1);
  return { json: request?.json ?? {}, query: Object.fromEntries(request?.query ?? []), path: request?.path ?? "" };
}

describe("Telegram", () => {
  const textOf = async (params: JsonObject, v: unknown) =>
    (await requestOf("telegram", "send_message", { chat_id: 1, ...params }, v)).json.text;

  test("a value is escaped for the formatting of the message", async () => {
    const v = "<b>1.5</b> & *2*";
    expect(await textOf({ text: "<b>Hi</b> {{v}}", parse_mode: "HTML" }, v)).toBe(
      "<b>Hi</b> &lt;b&gt;1.5&lt;/b&gt; &amp; *2*",
    );
    expect(await textOf({ text: "*Hi* {{v}}", parse_mode: "MarkdownV2" }, v)).toBe("*Hi* <b\\>1\\.5</b\\> & \\*2\\*");
    expect(await textOf({ text: "*Hi* {{v}}" }, v)).toBe(`*Hi* ${v}`);
    expect(await textOf({ text: "Hi {{raw(v)}}", parse_mode: "HTML" }, v)).toBe(`Hi ${v}`);
    expect(await textOf({ text: "{{v}}", parse_mode: "HTML" }, v)).toBe(v);
    for (const parse_mode of ["HTML", "MarkdownV2", null]) {
      expect(await textOf({ text: "<b>*Hi*</b> {{v}}", parse_mode }, "Ada")).toBe("<b>*Hi*</b> Ada");
    }
  });

  test("also in captions, of an album by the formatting of each item", async () => {
    const photo = { chat_id: 1, photo: "https://h/{{v}}.png", caption: "<i>{{v}}</i>", parse_mode: "HTML" };
    expect((await requestOf("telegram", "send_photo", photo, "a/<b")).json).toMatchObject({
      photo: "https://h/a%2F%3Cb.png",
      caption: "<i>a/&lt;b</i>",
    });
    const media = [
      { type: "photo", media: "https://h/1.png", caption: "<i>{{v}}</i>", parse_mode: "HTML" },
      { type: "photo", media: "{{v}}", caption: "_{{v}}_", parse_mode: "MarkdownV2" },
      { type: "photo", media: "x", caption: "{{v}}" },
    ];
    const { json } = await requestOf("telegram", "send_media_group", { chat_id: 1, media }, "<.");
    expect((json.media as { caption: string }[]).map(({ caption }) => caption)).toEqual([
      "<i>&lt;.</i>",
      "_<\\._",
      "<.",
    ]);
  });

  test("the length of a text with markup is Telegram's to judge", async () => {
    const text = "&".repeat(4_000);
    expect(await textOf({ text: "<i>{{v}}</i>", parse_mode: "HTML" }, text)).toBe(`<i>${"&amp;".repeat(4_000)}</i>`);
    const count = vendor.requests.length;
    await textOf({ text: "{{v}}" }, "x".repeat(4_097));
    expect(vendor.requests).toHaveLength(count);
  });

  test("a link of a button is encoded like any URL, its text is as it is", async () => {
    const reply_markup = {
      inline_keyboard: [[{ text: "<{{v}}>", url: "https://h/?q={{v}}", callback_data: "{{v}}" }]],
    };
    expect(
      (await requestOf("telegram", "send_message", { chat_id: 1, text: "x", reply_markup }, "a&b")).json,
    ).toMatchObject({
      reply_markup: { inline_keyboard: [[{ text: "<a&b>", url: "https://h/?q=a%26b", callback_data: "a&b" }]] },
    });
  });
});

describe("MAX", () => {
  test("a value is escaped for the formatting of the message", async () => {
    const send = async (params: JsonObject, v: unknown) =>
      (await requestOf("max", "send_message", { chat_id: 1, ...params }, v)).json.text;
    expect(await send({ text: "**Hi** {{v}}", format: "markdown" }, "*a* [x](y)")).toBe("**Hi** \\*a\\* \\[x\\](y)");
    expect(await send({ text: "<b>Hi</b> {{v}}", format: "html" }, "<a href='x'>")).toBe(
      "<b>Hi</b> &lt;a href='x'&gt;",
    );
    expect(await send({ text: "**Hi** {{v}}" }, "*a* <b>")).toBe("**Hi** *a* <b>");
    const buttons = [[{ type: "link", text: "{{v}}", url: "https://h/{{v}}" }]];
    const attachments = [{ type: "image", payload: { url: "https://h/{{v}}" } }];
    const { json } = await requestOf("max", "send_message", { chat_id: 1, text: "x", buttons, attachments }, "a/b");
    expect(JSON.stringify(json)).toContain('"payload":{"url":"https://h/a%2Fb"}');
    expect(JSON.stringify(json)).toContain('{"type":"link","text":"a/b","url":"https://h/a%2Fb"}');
  });
});

describe("Bitrix24", () => {
  test("a comment opens no tag", async () => {
    const { json } = await requestOf(
      "bitrix24",
      "add_deal_comment",
      { id: 1, comment: "[B]x[/B] {{v}}" },
      "[URL=//e]y[/URL]",
    );
    expect(json).toMatchObject({ fields: { COMMENT: "[B]x[/B] [\u2060URL=//e]y[\u2060/URL]" } });
    const deal = { title: "[B]{{v}}", comments: "x {{v}}", fields: { COMMENTS: "y {{v}}", UF_CRM_1: "{{v}}" } };
    expect((await requestOf("bitrix24", "create_deal", deal, "[user=1]")).json).toMatchObject({
      fields: { TITLE: "[B][user=1]", COMMENTS: "y [\u2060user=1]", UF_CRM_1: "[user=1]" },
    });
  });

  test("a value in a filter is data: it chooses no field, operator, or order", async () => {
    const v = '%" OR 1=1 -- ] [>ID';
    const { json } = await requestOf("bitrix24", "list_deals", { filter: { TITLE: "{{v}}", ">ID": 0 } }, v);
    expect(json.filter).toEqual({ TITLE: v, ">ID": 0 });
    const searched = await requestOf("bitrix24", "search_contacts", { email: "{{v}}" }, v);
    expect(searched.json.filter).toEqual({ EMAIL: v });
  });
});

describe("Kommo", () => {
  test("a value in a filter is data: it adds no parameter", async () => {
    const v = "5&filter[x]=1&limit=250#";
    const { query } = await requestOf("kommo", "list_leads", { filter: { pipeline_id: "{{v}}" } }, v);
    expect(query).toEqual({ "filter[pipeline_id]": v });
    expect((await requestOf("kommo", "search_leads", { query: "{{v}}" }, v)).query).toEqual({ query: v });
  });
});

describe("HubSpot", () => {
  test("a value in a filter is data, and no wildcard", async () => {
    const filters = (operator: string) => ({
      filter_groups: [{ filters: [{ propertyName: "email", operator, value: "*@{{v}}" }] }],
    });
    const v = '"}], "limit": 1, a OR b';
    const { json } = await requestOf("hubspot", "search_contacts", filters("CONTAINS_TOKEN"), v);
    expect(json.filterGroups).toEqual([
      { filters: [{ propertyName: "email", operator: "CONTAINS_TOKEN", value: `*@${v}` }] },
    ]);
    expect(() => resolveFor("hubspot", "search_contacts", filters("CONTAINS_TOKEN"), { v: "*" })).toThrow(
      "filter_groups.0.filters.0.value: {{v}} contains *",
    );
    expect(resolveFor("hubspot", "search_contacts", filters("EQ"), { v: "*" })).toEqual({
      filter_groups: [{ filters: [{ propertyName: "email", operator: "EQ", value: "*@*" }] }],
    });
  });

  test("the body of a note is HTML, and the properties of others are plain", async () => {
    const note = { body: "<p>{{v}}</p>", properties: { hs_note_body: "<i>{{v}}</i>", other: "{{v}}" } };
    expect(resolveFor("hubspot", "create_note", note, { v: "<b>" })).toEqual({
      body: "<p>&lt;b&gt;</p>",
      properties: { hs_note_body: "<i>&lt;b&gt;</i>", other: "<b>" },
    });
    expect(resolveFor("hubspot", "create_contact", { properties: { firstname: "{{v}}" } }, { v: "<b>" })).toEqual({
      properties: { firstname: "<b>" },
    });
  });
});

describe("HTTP", () => {
  const bodyOf = (type: string | null, body: unknown, v: unknown) => {
    const headers = type === null ? {} : { "Content-Type": type };
    return resolveFor("http", "request", { url: "https://h", headers, body }, { v }).body;
  };

  test("a value in a text is written for the content type of the body", () => {
    const v = 'x", "admin": true, "y": "<b>&a=1';
    const json = '{"a": "x\\", \\"admin\\": true, \\"y\\": \\"<b>&a=1"}';
    for (const type of ["application/json", "APPLICATION/JSON; charset=utf-8", "application/vnd.api+json"]) {
      expect(bodyOf(type, '{"a": "{{v}}"}', v)).toBe(json);
    }
    expect(bodyOf("application/x-ndjson", '{"a": "{{v}}"}\n', "x\n")).toBe('{"a": "x\\n"}\n');
    expect(bodyOf("text/xml", "<a>{{v}}</a>", "</a><b/>")).toBe("<a>&lt;/a&gt;&lt;b/&gt;</a>");
    expect(bodyOf("application/soap+xml", "<a>{{v}}</a>", "<b/>")).toBe("<a>&lt;b/&gt;</a>");
    expect(bodyOf("text/html", "<a>{{v}}</a>", "<b>")).toBe("<a>&lt;b&gt;</a>");
    expect(bodyOf("application/x-www-form-urlencoded", "a={{v}}&b=1", "1&admin=1")).toBe("a=1%26admin%3D1&b=1");
  });

  test("a text that is one value, an object, and a text of another type are sent as they are", () => {
    const v = '{"a": "<&"}';
    for (const type of ["application/json", "text/xml", "text/html", "application/x-www-form-urlencoded"]) {
      expect(bodyOf(type, "{{v}}", v)).toBe(v);
    }
    expect(bodyOf("application/json", { a: "x {{v}}" }, v)).toEqual({ a: `x ${v}` });
    for (const type of [null, "text/plain", "text/csv", "{{v}}"]) expect(bodyOf(type, "x {{v}}", v)).toBe(`x ${v}`);
  });

  test("a value in a GraphQL document is no part of it, and other queries stay as they are", () => {
    const v = 'x") { secret } #';
    const query = 'query Q($id: ID!) { user(id: $id, name: "{{v}}") { id } }';
    const written = 'query Q($id: ID!) { user(id: $id, name: "x\\") { secret } #") { id } }';
    expect(bodyOf(null, { query, variables: { id: "{{v}}" } }, v)).toEqual({ query: written, variables: { id: v } });
    expect(bodyOf("application/graphql", query, v)).toBe(written);
    for (const other of ["name:{{v}}", "SELECT '{{v}}'", "*[title == '{{v}}']", '{ "a": "{{v}}" }', "{{v}}"]) {
      expect(bodyOf(null, { query: other }, v)).toEqual({ query: other.replace("{{v}}", v) });
    }
    expect(bodyOf(null, { query: { match: "{ a(x: {{v}}) }" } }, v)).toEqual({ query: { match: `{ a(x: ${v}) }` } });
  });

  test("a header can't end with a value", async () => {
    const params = { url: vendor.url, headers: { "X-Name": "a {{v}}" } };
    const connection: VendorConnection = { connector: "http", settings: {}, headers: {} };
    for (const v of ["x\r\nHost: evil.example", "x\ny", "x\u0000"]) {
      await expect(
        callVendor(connection, "request", resolveFor("http", "request", params, { v })),
      ).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        message: "headers.X-Name is not a valid HTTP header",
      });
    }
  });
});
