import { WebClient } from "@slack/web-api";
import Mailgun from "mailgun.js";
import Stripe from "stripe";
import twilio from "twilio";
import {
  body,
  DEEP,
  formBody,
  INTEGER,
  inPath,
  inQuery,
  listSchema,
  objectSchema,
  TEXT,
  type VendorRequestCase,
} from "#lib/connectors/custom/vendor-requests/vendor-request.fixture";

const BRACKETS = "the client leaves the brackets of a name as they are";

function stripeClient(url: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe("sk_test_0", { host: hostname, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
}

const RANGE = { anyOf: [objectSchema({ gt: INTEGER, gte: INTEGER, lt: INTEGER, lte: INTEGER }), INTEGER] };
const LINE_ITEM = objectSchema({
  price_data: objectSchema({ currency: TEXT, unit_amount: INTEGER, product_data: objectSchema({ name: TEXT }) }),
  quantity: INTEGER,
});

const STRIPE: VendorRequestCase[] = [
  {
    vendor: "stripe",
    shows: "deepObject ranges and lists in a query",
    method: "get",
    path: "/v1/charges",
    operation: {
      parameters: [
        inQuery("created", RANGE, DEEP),
        inQuery("limit", INTEGER),
        inQuery("expand", listSchema(TEXT), DEEP),
        inQuery("customer"),
      ],
    },
    params: {
      query: {
        created: { gte: 1_700_000_000, lt: 1_800_000_000 },
        limit: 3,
        expand: ["data.customer", "data.invoice"],
      },
    },
    call: (url) =>
      stripeClient(url).charges.list({
        created: { gte: 1_700_000_000, lt: 1_800_000_000 },
        limit: 3,
        expand: ["data.customer", "data.invoice"],
      }),
    escapes: BRACKETS,
  },
  {
    vendor: "stripe",
    shows: "lists of nested objects in a form",
    method: "post",
    path: "/v1/checkout/sessions",
    operation: formBody(
      objectSchema({ mode: TEXT, success_url: TEXT, line_items: listSchema(LINE_ITEM), metadata: objectSchema({}) }),
      { line_items: DEEP, metadata: DEEP },
    ),
    params: {
      body: {
        mode: "payment",
        success_url: "https://shop.example/thanks?id={CHECKOUT_SESSION_ID}",
        line_items: [
          { price_data: { currency: "eur", unit_amount: 1_999, product_data: { name: "Käse & Brot" } }, quantity: 2 },
          { price_data: { currency: "eur", unit_amount: 500, product_data: { name: "Tee" } }, quantity: 1 },
        ],
        metadata: { order: "42" },
      },
    },
    call: (url) =>
      stripeClient(url).checkout.sessions.create({
        mode: "payment",
        success_url: "https://shop.example/thanks?id={CHECKOUT_SESSION_ID}",
        line_items: [
          { price_data: { currency: "eur", unit_amount: 1_999, product_data: { name: "Käse & Brot" } }, quantity: 2 },
          { price_data: { currency: "eur", unit_amount: 500, product_data: { name: "Tee" } }, quantity: 1 },
        ],
        metadata: { order: "42" },
      }),
    escapes: BRACKETS,
  },
];

/** Returns a Twilio client for the address. The client has no base URL, so its HTTP client gets the address. */
function twilioClient(url: string) {
  const inner = new twilio.RequestClient();
  const httpClient = {
    request: (options: Parameters<typeof inner.request>[0]) =>
      inner.request({ ...options, uri: options.uri.replace("https://api.twilio.com", url) }),
  };
  return twilio("AC00000000000000000000000000000000", "token", { httpClient: httpClient as typeof inner });
}

const TWILIO: VendorRequestCase = {
  vendor: "twilio",
  shows: "a form with a repeated field",
  method: "post",
  path: "/2010-04-01/Accounts/{AccountSid}/Messages.json",
  operation: {
    parameters: [inPath("AccountSid")],
    ...formBody(objectSchema({ To: TEXT, From: TEXT, MediaUrl: listSchema(TEXT), StatusCallback: TEXT, Body: TEXT })),
  },
  params: {
    path: { AccountSid: "AC00000000000000000000000000000000" },
    body: {
      To: "+15558675310",
      StatusCallback: "https://app.example/status?id=1",
      From: "+15017122661",
      Body: "Hi & welcome",
      MediaUrl: ["https://cdn.example/a.png", "https://cdn.example/b.png"],
    },
  },
  call: (url) =>
    twilioClient(url).messages.create({
      to: "+15558675310",
      from: "+15017122661",
      statusCallback: "https://app.example/status?id=1",
      body: "Hi & welcome",
      mediaUrl: ["https://cdn.example/a.png", "https://cdn.example/b.png"],
    }),
};

const BLOCKS = [{ type: "section", text: { type: "mrkdwn", text: "*Hi* & bye" } }];

const SLACK: VendorRequestCase = {
  vendor: "slack",
  shows: "a form field that is a JSON document",
  method: "post",
  path: "/chat.postMessage",
  operation: formBody(
    objectSchema({ channel: TEXT, text: TEXT, blocks: listSchema({}), unfurl_links: { type: "boolean" } }),
    {
      blocks: { contentType: "application/json" },
    },
  ),
  params: { body: { channel: "C0123", text: "Hi there", blocks: BLOCKS, unfurl_links: false } },
  call: (url) =>
    new WebClient(undefined, { slackApiUrl: url, retryConfig: { retries: 0 } }).apiCall("chat.postMessage", {
      channel: "C0123",
      text: "Hi there",
      blocks: BLOCKS,
      unfurl_links: false,
    }),
};

const FILE = { type: "string", format: "binary" };
const CSV = "id;name\n1;Käse\n";

const MAILGUN: VendorRequestCase = {
  vendor: "mailgun",
  shows: "a multipart body with a repeated field and a file",
  method: "post",
  path: "/v3/{domain_name}/messages",
  operation: {
    parameters: [inPath("domain_name")],
    ...body(
      "multipart/form-data",
      objectSchema({
        from: TEXT,
        to: listSchema(TEXT),
        subject: TEXT,
        text: TEXT,
        "h:Reply-To": TEXT,
        attachment: listSchema(FILE),
      }),
    ),
  },
  params: {
    path: { domain_name: "mg.example.com" },
    body: {
      from: "Ada <ada@example.com>",
      to: ["bob@example.com", "eve@example.com"],
      subject: "Grüße",
      text: "Hello\r\nBob",
      "h:Reply-To": "reply@example.com",
      attachment: [{ filename: "report.csv", text: CSV }],
    },
  },
  call: (url) =>
    new Mailgun(FormData).client({ username: "api", key: "key", url }).messages.create("mg.example.com", {
      from: "Ada <ada@example.com>",
      to: ["bob@example.com", "eve@example.com"],
      subject: "Grüße",
      text: "Hello\r\nBob",
      "h:Reply-To": "reply@example.com",
      attachment: [{ filename: "report.csv", data: Buffer.from(CSV) }],
    }),
};

export const FORM_REQUESTS: VendorRequestCase[] = [...STRIPE, TWILIO, SLACK, MAILGUN];
