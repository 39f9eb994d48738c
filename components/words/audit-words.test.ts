import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "#lib/contract/workspace/audit-actions";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import {
  AUDIT_NOUNS,
  describeAction,
  describeActor,
  describeDetails,
  pathOfObject,
} from "@/components/words/audit-words";

test("an action is formatted as words, even if it is unknown", () => {
  expect(describeAction("key.created")).toBe("Key created");
  expect(describeAction("member.role_changed")).toBe("Member role changed");
});

test("every action that the service records has its own words", () => {
  const words = AUDIT_ACTIONS.map(describeAction);
  for (const text of words) expect(text).toMatch(/^[A-Z][a-z -]+$/);
  expect(new Set(words).size).toBe(AUDIT_ACTIONS.length);
  expect(describeAction("action.breaking_change")).toBe("Breaking change published");
  expect(describeAction("user.sign_in_failed")).toBe("Sign-in failed");
});

test("every action that the service records is found by one filter, and every filter finds an action", () => {
  const nouns = AUDIT_ACTIONS.map((action) => action.slice(0, action.indexOf(".")));
  expect(new Set<string>(AUDIT_NOUNS.map(({ value }) => value))).toEqual(new Set(nouns));
});

test("an actor without a name gets a generic one", () => {
  expect(describeActor({ type: "system", id: null, name: null })).toBe("Signalbox");
  expect(describeActor({ type: "api_key", id: "k", name: "Bot" })).toBe("Bot");
});

test("details fit on one line, show a change as an arrow and omit empty values", () => {
  expect(describeDetails({ scopes: ["runs:read", "actions:run"], action_slugs: null })).toBe(
    "scopes: runs:read, actions:run",
  );
  expect(describeDetails({ run_retention_days: { from: null, to: 7 }, forbid_self_approval: true })).toBe(
    "run retention days: none → 7 · forbid self approval: true",
  );
  expect(describeDetails({ to: "admin", from: "editor", name: "Bob" })).toBe("name: Bob · editor → admin");
  expect(describeDetails({ from: "accepted", sub_runs: 0 })).toBe("sub runs: 0 · from: accepted");
  expect(describeDetails({})).toBe("");
});

test("the object of an event is linked while it exists", () => {
  const about = (object_type: string, action: string) =>
    pathOfObject({ object_type, action, object_id: "1" } as AuditEventObject);
  expect(about("run", "run.cancelled")).toBe("/runs/1");
  expect(about("workflow", "workflow.deleted")).toBeNull();
  expect(about("invite", "member.invited")).toBeNull();
});
