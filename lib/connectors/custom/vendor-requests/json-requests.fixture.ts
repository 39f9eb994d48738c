import { Client as HubSpot } from "@hubspot/api-client";
import { LinearClient } from "@linear/sdk";
import { Client as Notion } from "@notionhq/client";
import { request as octokit } from "@octokit/request";
import { Meilisearch } from "meilisearch";
import { ServerClient } from "postmark";
import { Resend } from "resend";
import { Svix } from "svix";
import {
  FLAG,
  INTEGER,
  inPath,
  inQuery,
  jsonBody,
  listSchema,
  objectSchema,
  TEXT,
  type VendorRequestCase,
} from "#lib/connectors/custom/vendor-requests/vendor-request.fixture";

const ISSUE = { title: "Fund & found", body: "line\n“quoted”", labels: ["bug", "help wanted"], assignees: [] };

const GITHUB: VendorRequestCase = {
  vendor: "github",
  shows: "a JSON body with text in any script",
  method: "post",
  path: "/repos/{owner}/{repo}/issues",
  operation: {
    parameters: [inPath("owner"), inPath("repo")],
    ...jsonBody(
      objectSchema({
        title: { oneOf: [TEXT, INTEGER] },
        body: TEXT,
        labels: listSchema({}),
        assignees: listSchema(TEXT),
      }),
    ),
  },
  params: { path: { owner: "octo", repo: "hello-world" }, body: ISSUE },
  call: (url) =>
    octokit.defaults({ baseUrl: url })("POST /repos/{owner}/{repo}/issues", {
      owner: "octo",
      repo: "hello-world",
      ...ISSUE,
    }),
};

const PAGE = {
  parent: { page_id: "b55c9c91-384d-452b-81db-d1ef79372b75" },
  properties: { title: { title: [{ text: { content: "Zürich" } }] } },
};

const NOTION: VendorRequestCase = {
  vendor: "notion",
  shows: "a nested JSON body",
  method: "post",
  path: "/v1/pages",
  operation: jsonBody(objectSchema({ parent: { type: "object" }, properties: { type: "object" } })),
  params: { body: PAGE },
  call: (url) => new Notion({ auth: "secret", baseUrl: url, retry: false }).pages.create(PAGE),
};

const HUBSPOT: VendorRequestCase = {
  vendor: "hubspot",
  shows: "a JSON body with lists of objects",
  method: "post",
  path: "/crm/v3/objects/contacts/batch/read",
  operation: {
    parameters: [inQuery("archived", FLAG)],
    ...jsonBody(
      objectSchema({ idProperty: TEXT, inputs: listSchema(objectSchema({ id: TEXT })), properties: listSchema(TEXT) }),
    ),
  },
  params: {
    query: { archived: false },
    body: {
      propertiesWithHistory: [],
      idProperty: "email",
      inputs: [{ id: "ada@example.com" }],
      properties: ["email"],
    },
  },
  call: (url) =>
    new HubSpot({ accessToken: "token", basePath: url }).crm.contacts.batchApi.read(
      { propertiesWithHistory: [], idProperty: "email", inputs: [{ id: "ada@example.com" }], properties: ["email"] },
      false,
    ),
};

const EMAIL = { From: "ada@example.com", To: "bob@example.com", Subject: "Hi", TextBody: "Grüße", TrackOpens: true };

const POSTMARK: VendorRequestCase = {
  vendor: "postmark",
  shows: "a JSON body",
  method: "post",
  path: "/email",
  operation: jsonBody(objectSchema({ From: TEXT, To: TEXT, Subject: TEXT, TextBody: TEXT, TrackOpens: FLAG })),
  params: { body: EMAIL },
  call: (url) => new ServerClient("token", { useHttps: false, requestHost: new URL(url).host }).sendEmail(EMAIL),
};

const RESEND: VendorRequestCase = {
  vendor: "resend",
  shows: "a JSON body with lists",
  method: "post",
  path: "/emails/batch",
  operation: jsonBody(listSchema(objectSchema({ from: TEXT, to: listSchema(TEXT), subject: TEXT, html: TEXT }))),
  params: { body: [{ from: "ada@example.com", html: "<b>Hi</b>", subject: "Hi", to: ["bob@example.com"] }] },
  call: (url) =>
    new Resend("re_0", { baseUrl: url }).batch.send([
      { from: "ada@example.com", html: "<b>Hi</b>", subject: "Hi", to: ["bob@example.com"] },
    ]),
};

const SEARCH = {
  q: "botman robin",
  limit: 5,
  filter: ["genre = horror", ["year > 2000"]],
  attributesToRetrieve: ["title"],
};

const MEILISEARCH: VendorRequestCase = {
  vendor: "meilisearch",
  shows: "a JSON body with nested lists",
  method: "post",
  path: "/indexes/{indexUid}/search",
  operation: {
    parameters: [inPath("indexUid")],
    ...jsonBody(objectSchema({ q: TEXT, limit: INTEGER, filter: {}, attributesToRetrieve: listSchema(TEXT) })),
  },
  params: { path: { indexUid: "movies" }, body: SEARCH },
  call: (url) => {
    const { q, ...options } = SEARCH;
    return new Meilisearch({ host: url, apiKey: "key" }).index("movies").search(q, options);
  },
};

const QUERY = "query Issue($id: String!) { issue(id: $id) { title } }";

const LINEAR: VendorRequestCase = {
  vendor: "linear",
  shows: "a GraphQL document as JSON",
  method: "post",
  path: "/graphql",
  operation: jsonBody(objectSchema({ query: TEXT, variables: { type: "object" } })),
  params: { body: { query: QUERY, variables: { id: "LIN-1" } } },
  call: (url) =>
    new LinearClient({ apiKey: "lin_0", apiUrl: `${url}/graphql` }).client.rawRequest(QUERY, { id: "LIN-1" }),
};

const SVIX: VendorRequestCase = {
  vendor: "svix",
  shows: "a JSON body and a query at once",
  method: "post",
  path: "/api/v1/app/{app_id}/msg",
  operation: {
    parameters: [inPath("app_id"), inQuery("with_content", FLAG)],
    ...jsonBody(objectSchema({ eventType: TEXT, payload: { type: "object" }, channels: listSchema(TEXT) })),
  },
  params: {
    path: { app_id: "app_1" },
    query: { with_content: false },
    body: { eventType: "invoice.paid", payload: { id: 1, nested: { list: [1, null] } }, channels: ["a"] },
  },
  call: (url) =>
    new Svix("token", { serverUrl: url, numRetries: 0 }).message.create(
      "app_1",
      { channels: ["a"], eventType: "invoice.paid", payload: { id: 1, nested: { list: [1, null] } } },
      { withContent: false },
    ),
};

export const JSON_REQUESTS: VendorRequestCase[] = [
  GITHUB,
  NOTION,
  HUBSPOT,
  POSTMARK,
  RESEND,
  LINEAR,
  SVIX,
  MEILISEARCH,
];
