import { Client as HubSpot } from "@hubspot/api-client";
import { Client as Notion } from "@notionhq/client";
import { request as octokit } from "@octokit/request";
import { Paddle } from "@paddle/paddle-node-sdk";
import { SquareClient } from "square";
import { Svix } from "svix";
import { Client as Typesense } from "typesense";
import {
  COMMAS,
  FLAG,
  INTEGER,
  inHeader,
  inPath,
  inQuery,
  listSchema,
  TEXT,
  type VendorRequestCase,
} from "#lib/connectors/custom/vendor-requests/vendor-request.fixture";

const COMMA_ESCAPED = "the client writes the comma between two items as %2C";
const PLUS = "the client writes a space in a query as + and not as %20";

const GITHUB: VendorRequestCase = {
  vendor: "github",
  shows: "text that contains commas, in a query and a path",
  method: "get",
  path: "/repos/{owner}/{repo}/contents/{path}",
  operation: { parameters: [inPath("owner"), inPath("repo"), inPath("path"), inQuery("ref")] },
  params: { path: { owner: "octo", repo: "hello-world", path: "docs/read me.md" }, query: { ref: "feature/a b,c" } },
  call: (url) =>
    octokit.defaults({ baseUrl: url })("GET /repos/{owner}/{repo}/contents/{path}", {
      owner: "octo",
      repo: "hello-world",
      path: "docs/read me.md",
      ref: "feature/a b,c",
    }),
};

const NOTION: VendorRequestCase = {
  vendor: "notion",
  shows: "a repeated query parameter and a header of the document",
  method: "get",
  path: "/v1/pages/{page_id}",
  operation: {
    parameters: [inPath("page_id"), inQuery("filter_properties", listSchema(TEXT)), inHeader("Notion-Version")],
  },
  params: {
    path: { page_id: "b55c9c91-384d-452b-81db-d1ef79372b75" },
    query: { filter_properties: ["title", "ab|c"] },
    header: { "Notion-Version": "2026-03-11" },
  },
  call: (url) =>
    new Notion({ auth: "secret", baseUrl: url, notionVersion: "2026-03-11", retry: false }).pages.retrieve({
      page_id: "b55c9c91-384d-452b-81db-d1ef79372b75",
      filter_properties: ["title", "ab|c"],
    }),
  headers: ["notion-version"],
};

const HUBSPOT: VendorRequestCase = {
  vendor: "hubspot",
  shows: "repeated lists, numbers and booleans in a query",
  method: "get",
  path: "/crm/v3/objects/contacts",
  operation: {
    parameters: [
      ...[inQuery("limit", INTEGER), inQuery("after"), inQuery("properties", listSchema(TEXT))],
      ...[inQuery("associations", listSchema(TEXT)), inQuery("archived", FLAG)],
    ],
  },
  params: {
    query: { limit: 10, after: "MTA=", properties: ["email", "first name"], associations: ["deals"], archived: false },
  },
  call: (url) =>
    new HubSpot({ accessToken: "token", basePath: url }).crm.contacts.basicApi.getPage(
      10,
      "MTA=",
      ["email", "first name"],
      undefined,
      ["deals"],
      false,
    ),
  escapes: PLUS,
};

const PADDLE: VendorRequestCase = {
  vendor: "paddle",
  shows: "lists with commas in a query",
  method: "get",
  path: "/prices",
  operation: {
    parameters: [
      inQuery("id", listSchema(TEXT), COMMAS),
      inQuery("status", listSchema(TEXT), COMMAS),
      inQuery("per_page", INTEGER),
    ],
  },
  params: { query: { id: ["pri_1", "pri_2"], status: ["active", "archived"], per_page: 50 } },
  call: (url) =>
    new Paddle("key", { environment: url as never }).prices
      .list({ id: ["pri_1", "pri_2"], status: ["active", "archived"], perPage: 50 })
      .next(),
  escapes: COMMA_ESCAPED,
};

const SQUARE: VendorRequestCase = {
  vendor: "square",
  shows: "dates and numbers in a query",
  method: "get",
  path: "/v2/payments",
  operation: {
    parameters: [...[inQuery("begin_time"), inQuery("sort_order"), inQuery("location_id"), inQuery("limit", INTEGER)]],
  },
  params: {
    query: { begin_time: "2026-01-01T00:00:00+01:00", sort_order: "ASC", location_id: "L1", limit: 5 },
  },
  call: (url) =>
    new SquareClient({ token: "token", baseUrl: url, maxRetries: 0 }).payments.list({
      beginTime: "2026-01-01T00:00:00+01:00",
      sortOrder: "ASC",
      locationId: "L1",
      limit: 5,
    }),
};

const SVIX: VendorRequestCase = {
  vendor: "svix",
  shows: "numbers, booleans and dates in a query",
  method: "get",
  path: "/api/v1/app/{app_id}/msg",
  operation: {
    parameters: [
      ...[inPath("app_id"), inQuery("limit", INTEGER), inQuery("iterator"), inQuery("channel")],
      ...[inQuery("before"), inQuery("with_content", FLAG), inQuery("tag")],
    ],
  },
  params: {
    path: { app_id: "app_1" },
    query: {
      limit: 50,
      before: "2026-01-01T00:00:00.000Z",
      with_content: true,
      tag: "a/b c",
    },
  },
  call: (url) =>
    new Svix("token", { serverUrl: url, numRetries: 0 }).message.list("app_1", {
      limit: 50,
      before: new Date("2026-01-01T00:00:00Z"),
      withContent: true,
      tag: "a/b c",
    }),
  escapes: PLUS,
};

const TYPESENSE: VendorRequestCase = {
  vendor: "typesense",
  shows: "a query of text with delimiters in it",
  method: "get",
  path: "/collections/{collectionName}/documents/search",
  operation: {
    parameters: [
      ...[inPath("collectionName"), inQuery("q"), inQuery("query_by"), inQuery("filter_by")],
      ...[inQuery("sort_by"), inQuery("per_page", INTEGER)],
    ],
  },
  params: {
    path: { collectionName: "books" },
    query: { q: "harry potter", query_by: "title,body", filter_by: "year:>2000 && price:[5..10]", per_page: 5 },
  },
  call: (url) => {
    const { hostname, port } = new URL(url);
    const nodes = [{ host: hostname, port: Number(port), protocol: "http" }];
    return new Typesense({ nodes, apiKey: "key", numRetries: 0 })
      .collections("books")
      .documents()
      .search({ q: "harry potter", query_by: "title,body", filter_by: "year:>2000 && price:[5..10]", per_page: 5 });
  },
  escapes: PLUS,
};

export const QUERY_REQUESTS: VendorRequestCase[] = [...[GITHUB, NOTION, HUBSPOT, PADDLE, SQUARE, SVIX, TYPESENSE]];
