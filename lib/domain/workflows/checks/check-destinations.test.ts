import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { asPublishedBefore } from "#lib/core/graph/checks/problem";
import { applyFixes } from "#lib/core/graph/edits/apply-fixes";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import type { ConnectionFacts } from "#lib/domain/connections/find-connection-problems";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";

const CRM: ConnectionFacts = {
  id: "crm",
  name: "CRM",
  connector: "http",
  auth: "bearer",
  origins: ["https://crm.test", "https://*.crm.test"],
};
const SHOP: ConnectionFacts = { ...CRM, id: "shop", name: "Shop", origins: ["https://shop.test"] };
const BOT: ConnectionFacts = { ...CRM, id: "bot", name: "Bot", connector: "telegram", origins: [] };
const { definition: STORE } = buildDefinition({
  name: "Store",
  baseUrl: "https://shop.test/v1",
  auth: "bearer",
  document: {
    openapi: "3.1.0",
    paths: { "/orders": { get: { operationId: "listOrders", responses: { 200: { description: "" } } } } },
  },
});

function around(data: JsonObject) {
  const nodes = [
    completeNode("start", "action_input"),
    completeNode("call", "connector", data),
    completeNode("end", "return_output"),
  ];
  return definition(nodes, ["start > call > end"]);
}

function problemsOf(data: JsonObject, connections: readonly ConnectionFacts[] = [CRM, SHOP, BOT]) {
  return findProblems(around(data), null, {
    ...NO_SURROUNDINGS,
    connectors: new Map([["store", STORE]]),
    connections,
  });
}

const request = (url: string, connection_id = "crm") => ({
  connector: "http",
  operation: "request",
  connection_id,
  params: { url },
});
const CALL_STORE = { connector: "store", operation: "listOrders", params: {} };

describe("an address that the connection does not allow", () => {
  test.each([
    ["http://crm.test/orders", "http://crm.test"],
    ["https://crm.test:8443/{{action_input}}", "https://crm.test:8443"],
    ["https://evil.test", "https://evil.test"],
  ])("%s is an error with its origin, because every call would fail", (url, origin) => {
    expect(problemsOf(request(url))).toEqual([
      {
        severity: "error",
        code: "HOST_NOT_ALLOWED",
        node_id: "call",
        field: "connection_id",
        origin,
        message: expect.stringContaining(`the connection "CRM" does not allow ${origin}`),
      },
    ]);
  });

  test.each(["https://crm.test/orders", "https://eu.crm.test/orders"])("%s is allowed", (url) => {
    expect(problemsOf(request(url))).toEqual([]);
  });

  test("is not known while a template decides it, or without the connection", () => {
    const hosts = ["{{action_input.url}}", "https://{{action_input.host}}/orders"];
    for (const url of hosts) expect(problemsOf(request(url)).map(({ code }) => code)).not.toContain("HOST_NOT_ALLOWED");
    expect(problemsOf(request("https://evil.test", "gone"))).toEqual([]);
  });

  test("is found for a connector that was built from a document", () => {
    expect(problemsOf({ ...CALL_STORE, connection_id: "shop" })).toEqual([]);
    expect(problemsOf({ ...CALL_STORE, connection_id: "crm" })).toMatchObject([
      { code: "HOST_NOT_ALLOWED", origin: "https://shop.test" },
    ]);
  });

  test("does not keep anyone from going back to a version", () => {
    expect(asPublishedBefore(problemsOf(request("https://evil.test")))).toMatchObject([{ severity: "warning" }]);
  });

  test("does not matter while the step is disabled", () => {
    const problems = problemsOf({ ...request("https://evil.test"), disabled: true });
    expect(problems.map(({ code }) => code)).toEqual(["STEP_DISABLED"]);
  });
});

describe("a step without the connection that it needs", () => {
  test("gets the only one that fits as its fix", async () => {
    const [problem] = problemsOf(CALL_STORE);
    expect(problem).toMatchObject({ code: "INVALID_DATA", field: "connection_id", origin: "https://shop.test" });
    const { definition: fixed } = await applyFixes(around(CALL_STORE), () => (problem === undefined ? [] : [problem]));
    expect(fixed.nodes[1]?.data.connection_id).toBe("shop");
    const send = { connector: "telegram", operation: "send_message", params: { chat_id: "1", text: "hi" } };
    expect(problemsOf(send)).toMatchObject([{ field: "connection_id", fix: { data: { connection_id: "bot" } } }]);
  });

  test.each([
    ["none fits", [CRM, BOT]],
    ["several fit", [SHOP, { ...SHOP, id: "outlet" }]],
    ["it authenticates otherwise", [{ ...SHOP, auth: "basic" }]],
  ])("has no fix if %s", (_, connections) => {
    const [problem] = problemsOf(CALL_STORE, connections);
    expect(problem).toMatchObject({ code: "INVALID_DATA", field: "connection_id", origin: "https://shop.test" });
    expect(problem).not.toHaveProperty("fix");
  });
});
