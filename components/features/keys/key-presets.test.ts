import { expect, it } from "vitest";
import { DEFAULT_SCOPES, SCOPES } from "#lib/contract/key/scopes";
import { presetOf, SCOPE_GROUPS, scopesSummary } from "@/components/features/keys/key-presets";

it("offers each of the nine scopes exactly once, except the reserved one", () => {
  const offered = SCOPE_GROUPS.flatMap((group) => group.scopes);
  expect([...offered, "workflows:run"].toSorted()).toEqual(SCOPES.toSorted());
});

it("the scopes that a key gets without naming any are those of a builder", () => {
  expect(presetOf(DEFAULT_SCOPES)?.id).toBe("builder");
});

it("recognizes a preset in any order of its scopes", () => {
  expect(scopesSummary(["runs:read", "actions:run", "actions:read"])).toBe("Agent");
  expect(scopesSummary(["runs:read"])).toBe("runs:read");
  expect(scopesSummary(["runs:read", "actions:run"])).toBe("2 scopes");
});
