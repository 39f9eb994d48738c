import { expect, test } from "vitest";
import { emptyOperation, findOperationAt, toDescribed, toHand } from "@/components/features/connectors/hand-operations";

test("a name in the path becomes a parameter without a description", () => {
  const hand = { ...emptyOperation("1"), name: "get_order", path: "/orders/{id}/{line}" };
  expect(toDescribed(hand).operation.parameters).toEqual(
    ["id", "line"].map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
  );
});

test("described operations survive a round trip, including their schemas and what the form does not show", () => {
  const described = {
    name: "search",
    title: "Search",
    method: "POST",
    path: "/s",
    description: "By words",
    parameters: [
      { name: "q", in: "query", required: true, schema: { type: "string", enum: ["a"] } },
      { name: "deep", in: "query", required: false, style: "deepObject", explode: true, schema: { type: "object" } },
      { name: "filter", in: "query", required: false, content: { "application/json": { schema: {} } } },
    ],
    server: "https://files.example.com",
    body_encoding: { a: { contentType: "application/json" } },
    body: { type: "object" },
    body_required: false,
    body_type: "text/plain",
    output: { type: "array" },
  };
  expect(toDescribed(toHand(described, "1"))).toEqual({ operation: described, problems: [] });
});

test("an invalid schema is reported with its name", () => {
  const hand = { ...emptyOperation("1"), name: "a", bodyText: "[]", outputText: "{" };
  expect(toDescribed(hand).problems).toHaveLength(2);
});

test("an error in the document points to the operation it is in", () => {
  const operations = ["GET", "PUT"].map((method) => ({ ...emptyOperation(method), method, path: "/a/{id}" }));
  expect(findOperationAt(operations, "/paths/~1a~1{id}/put/parameters/0")?.key).toBe("PUT");
  expect(findOperationAt(operations, "/paths/~1b/put")).toBeNull();
  expect(findOperationAt(operations, "/operations")).toBeNull();
});
