import { describe, expect, test } from "vitest";
import { deriveConnection, moveSecretOut } from "@/components/canvas/document/derive-connection";
import { testNode } from "@/components/canvas/document/test-definition";

const nodeWith = (params: object, more: object = {}) =>
  testNode("ask", "connector", 0, 0, { connector: "http", operation: "request", params, ...more });
const URL = "https://api.shop.example/orders/{{action_input.id}}";
const hosts = "api.shop.example";

describe("the connection that a secret of an HTTP request moves to", () => {
  test.each([
    ["a bearer token", { url: URL, headers: { Authorization: "Bearer abc" } }, "bearer", { token: "abc" }],
    [
      "basic credentials",
      { url: URL, headers: { authorization: "Basic YW5uOnBhOnNz" } },
      "basic",
      { username: "ann", password: "pa:ss" },
    ],
    [
      "another header",
      { url: URL, headers: { "X-API-Key": "abc" } },
      "api_key",
      { placement: "header", name: "X-API-Key", value: "abc" },
    ],
    [
      "a query parameter",
      { url: URL, query: { api_key: "abc" } },
      "api_key",
      { placement: "query", name: "api_key", value: "abc" },
    ],
    [
      "an address with a password",
      { url: "https://ann:p%40ss@api.shop.example/x" },
      "basic",
      { username: "ann", password: "p@ss" },
    ],
  ])("for %s", (_what, params, auth, fields) => {
    expect(deriveConnection(nodeWith(params))).toMatchObject({ name: hosts, auth, fields: { ...fields, hosts } });
  });

  test("gets the secret only over https unless the address says http", () => {
    const derived = deriveConnection(nodeWith({ url: "http://localhost:8080/x", headers: { token: "abc" } }));
    expect(derived?.fields.hosts).toBe("http://localhost:8080");
  });

  test.each([
    ["there is no secret", nodeWith({ url: URL, headers: { "x-team": "blue" } })],
    ["an expression is the secret", nodeWith({ url: URL, headers: { token: "{{login.token}}" } })],
    ["an expression decides the host", nodeWith({ url: "https://{{action_input.host}}/x", headers: { token: "abc" } })],
    [
      "an expression ends the host",
      nodeWith({ url: "https://api.{{action_input.host}}/x", headers: { token: "abc" } }),
    ],
    ["the step has a connection", nodeWith({ url: URL, headers: { token: "abc" } }, { connection_id: "c" })],
    ["the secret is in the body", nodeWith({ url: URL, body: { token: "abc" } })],
  ])("does not exist if %s", (_what, node) => {
    expect(deriveConnection(node)).toBeNull();
  });
});

describe("moving the secret", () => {
  const move = (params: object) => {
    const node = nodeWith(params);
    const derived = deriveConnection(node);
    if (derived === null) return expect.fail();
    return moveSecretOut({ nodes: [node], edges: [] }, node, derived, "c1").nodes[0]?.data;
  };

  test("leaves everything else of the step as it was", () => {
    expect(move({ url: URL, headers: { token: "abc", "x-team": "blue" }, body: "x" })).toEqual({
      connector: "http",
      operation: "request",
      connection_id: "c1",
      params: { url: URL, headers: { "x-team": "blue" }, body: "x" },
    });
  });

  test("leaves no empty list of headers, and no user in the address", () => {
    expect(move({ url: URL, headers: { token: "abc" } })).toMatchObject({ params: { url: URL } });
    expect(move({ url: URL, headers: { token: "abc" } })?.params).not.toHaveProperty("headers");
    expect(move({ url: "https://ann:pass@api.shop.example/x?y=1" })?.params).toEqual({
      url: "https://api.shop.example/x?y=1",
    });
  });
});
