import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { AuditLog } from "@/components/features/settings/audit-log";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { auditEvent, sampleMember } from "@/components/testing/workspace.fixture";

function renderLog(events: AuditEventObject[], address = "/settings/audit") {
  return renderPage(<AuditLog />, {
    address,
    session: { role: "admin" },
    prepare: (server) => {
      server.answer("list_audit_events", pageOf(events));
      server.answer("list_members", pageOf([sampleMember({ user_id: idOf(9) })]));
    },
  });
}

const table = async () => within(await screen.findByRole("table", { name: "Audit log" }));
const optionsOf = (name: string) =>
  [...screen.getByRole<HTMLSelectElement>("combobox", { name }).options].map(({ label }) => label);

test("an event says what happened to what, who did it and when, with a link to the object", async () => {
  renderLog([
    auditEvent(),
    auditEvent({
      event_id: idOf(2),
      actor: { type: "api_key", id: idOf(4), name: "Support bot" },
      action: "workflow.deleted",
      object_type: "workflow",
      details: {},
    }),
    auditEvent({
      event_id: idOf(5),
      actor: { type: "system", id: null, name: null },
      action: "member.role_changed",
      object_type: "member",
      details: { name: "Cleo", from: "viewer", to: "admin" },
    }),
  ]);
  const log = await table();
  expect(log.getByRole("link", { name: "Key created" }).getAttribute("href")).toBe("/keys");
  log.getByText("name: Support bot");
  log.getByText("API key");
  expect(log.queryByRole("link", { name: "Workflow deleted" })).toBeNull();
  log.getByRole("button", { name: "Signalbox" });
  log.getByText("name: Cleo · viewer → admin");
  await expectAccessible();
});

test("a click on a name filters the log by that person and is kept in the URL", async () => {
  const { user, server } = renderLog([auditEvent()]);
  await user.click((await table()).getByRole("button", { name: "Bob" }));
  await eventually(() => expect(server.sent("list_audit_events").at(-1)).toEqual({ actor: idOf(9) }));
  expect(window.location.search).toBe(`?actor=${idOf(9)}`);
  await user.selectOptions(screen.getByRole("combobox", { name: "What" }), "key");
  await eventually(() => expect(server.sent("list_audit_events").at(-1)).toEqual({ actor: idOf(9), action: "key" }));
  await user.click(screen.getByRole("button", { name: "Clear" }));
  await eventually(() => expect(window.location.search).toBe(""));
});

test("an unlisted filter in the URL stays selected and is named", async () => {
  const key = { type: "api_key" as const, id: idOf(4), name: "Support bot" };
  renderLog([auditEvent({ actor: key })], `/settings/audit?actor=${idOf(4)}&action=key.revoked`);
  await table();
  await eventually(() => expect(optionsOf("Who")).toEqual(["Everyone", "Bob", "Signalbox", "Support bot"]));
  expect(optionsOf("What").at(-1)).toBe("Key revoked");
});

test("filters without a match are distinguished from an empty log", async () => {
  const { user } = renderLog([], "/settings/audit?actor=system");
  await screen.findByText("No results");
  await user.click(screen.getByRole("button", { name: "Clear" }));
  await screen.findByText("No events yet");
});

test("older events are on the next page, and filtering starts with the newest", async () => {
  const { user, server } = renderLog([auditEvent()]);
  server.answer("list_audit_events", ({ cursor }) =>
    cursor === undefined ? pageOf([auditEvent()], "older") : pageOf([auditEvent({ action: "key.revoked" })]),
  );
  await user.click(await screen.findByRole("button", { name: "Next" }));
  await screen.findByText("Key revoked");
  await user.selectOptions(screen.getByRole("combobox", { name: "What" }), "run");
  await eventually(() => expect(server.sent("list_audit_events").at(-1)).toEqual({ action: "run" }));
});

test("an editor sees who to ask, and the log is not requested", () => {
  const { server } = renderPage(<AuditLog />, { session: { role: "editor" } });
  screen.getByText("You need the admin role to view the audit log");
  expect(server.sent("list_audit_events")).toEqual([]);
});
