import { expect, test } from "vitest";
import type { KeyCaller } from "#lib/api/operations/define/caller";
import { authorize } from "#lib/api/operations/define/define-operation";
import { replayRunOperation } from "#lib/api/operations/runs/run-replays";
import type { Scope } from "#lib/contract/key/scopes";

function keyWith(...scopes: Scope[]): KeyCaller {
  const ids = { workspaceId: "w", userId: "u", keyId: "k" };
  return { kind: "api_key", ...ids, plan: "free", name: "k", prefix: "svc_abcd", scopes, actionSlugs: null };
}

test.each([
  [["actions:run"], "runs:read"],
  [["runs:read", "actions:read"], "actions:run"],
  [[], "runs:read"],
] as [Scope[], Scope][])("replaying with the scopes %j fails and names the missing scope %s", (scopes, missing) => {
  expect(() => authorize(replayRunOperation, keyWith(...scopes))).toThrow(
    expect.objectContaining({
      code: "FORBIDDEN",
      message: `The key lacks the scope ${missing}.`,
      details: { required_scope: missing, granted_scopes: scopes },
    }),
  );
});

test("replaying needs both scopes and nothing else; a user needs to be an editor", () => {
  authorize(replayRunOperation, keyWith("actions:run", "runs:read"));
  const person = { kind: "user", workspaceId: "w", userId: "u", plan: "free", name: "Ann" } as const;
  authorize(replayRunOperation, { ...person, role: "editor" });
  expect(() => authorize(replayRunOperation, { ...person, role: "approver" })).toThrow(/editor role/);
});
