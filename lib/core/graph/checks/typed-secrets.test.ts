import { describe, expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { keepSecrets } from "#lib/core/graph/checks/keep-secrets";
import { checkMasks, maskDefinition, warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";

const at = { x: 0, y: 0 };

function withRequest(params: object, more: object = {}): Definition {
  const ask = { name: "Ask", connector: "http", operation: "request", params, ...more };
  return {
    nodes: [
      { id: "start", type: "action_input", position: at, data: { properties: [] } },
      { id: "ask", type: "connector", position: at, data: ask },
      { id: "end", type: "return_output", position: at, data: { properties: [] } },
    ],
    edges: [
      { id: "a", source: "start", target: "ask" },
      { id: "b", source: "ask", target: "end" },
    ],
  };
}

const URL = "https://shop.example/orders";
const TYPED = withRequest({ method: "GET", url: URL, headers: { Authorization: "Bearer abc123", "x-team": "blue" } });

test("a secret in a definition is a warning that names the node and the field, and does not prevent publishing", () => {
  expect(warnSecrets(TYPED)).toEqual([
    {
      severity: "warning",
      code: "SECRET_IN_DEFINITION",
      node_id: "ask",
      field: "params.headers.Authorization",
      message: expect.stringMatching(/^Ask: params\.headers\.Authorization contains a secret\./),
    },
  ]);
  expect(validateGraph(TYPED)).toEqual([]);
});

test("the sealed secret of a trigger is neither a warning nor masked", () => {
  const data = { kind: "webhook", secret: "sealed:abc", scheme: "auto" };
  const definition: Definition = { nodes: [{ id: "start", type: "trigger", position: at, data }], edges: [] };
  expect(warnSecrets(definition)).toEqual([]);
  expect(maskDefinition(definition)).toBe(definition);
});

test("a masked definition has everything except the secret, and cannot be published until it is filled in", () => {
  const masked = maskDefinition(TYPED);
  expect(masked.nodes[1]?.data.params).toEqual({
    method: "GET",
    url: URL,
    headers: { Authorization: "Bearer [REDACTED]", "x-team": "blue" },
  });
  expect(validateGraph(masked)).toEqual(checkMasks(masked));
  expect(checkMasks(masked)).toEqual([
    {
      severity: "error",
      code: "SECRET_MASKED",
      node_id: "ask",
      field: "params.headers.Authorization",
      message:
        "Ask: params.headers.Authorization contains [REDACTED] instead of a secret. Fill it in, or choose a connection.",
    },
  ]);
});

describe("a mask that is sent back", () => {
  test("keeps the secret, whatever else of the step changes", () => {
    const { nodes, edges } = maskDefinition(TYPED);
    const changed = {
      edges,
      nodes: nodes.map((node) =>
        node.id === "ask" ? { ...node, data: { ...node.data, name: "Ask again", maxRetries: 2 } } : node,
      ),
    };
    expect(keepSecrets(changed, TYPED).nodes[1]?.data).toEqual({
      ...TYPED.nodes[1]?.data,
      name: "Ask again",
      maxRetries: 2,
    });
  });

  test.each([
    ["another address", { url: "https://evil.example/orders" }],
    ["an address with an expression", { url: "{{action_input.url}}" }],
  ])("does not keep it for %s", (_what, target) => {
    const changed = withRequest({ method: "GET", headers: { Authorization: "Bearer [REDACTED]" }, ...target });
    const kept = keepSecrets(changed, TYPED);
    expect(JSON.stringify(kept)).not.toContain("abc123");
    expect(checkMasks(kept)).toHaveLength(1);
  });

  test("does not keep it in another field or another step", () => {
    const moved = withRequest({ method: "GET", url: URL, query: { q: "Bearer [REDACTED]" } });
    expect(JSON.stringify(keepSecrets(moved, TYPED))).not.toContain("abc123");
    const nodes = maskDefinition(TYPED).nodes.map((node) => (node.id === "ask" ? { ...node, id: "other" } : node));
    expect(JSON.stringify(keepSecrets({ ...TYPED, nodes }, TYPED))).not.toContain("abc123");
  });
});

test("the difference of two versions shows that a secret changed, and neither value", () => {
  const after = withRequest({ method: "GET", url: URL, headers: { Authorization: "Bearer xyz789", "x-team": "blue" } });
  expect(compareDefinitions(TYPED, after).changed).toMatchObject([
    { fields: [{ field: "params.headers.Authorization", was: "Bearer [REDACTED]", now: "Bearer [REDACTED]" }] },
  ]);
});
