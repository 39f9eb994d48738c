import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateKeyDialog } from "@/components/features/keys/create-key-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

const ACTIONS = ["refund", "pay-out"].map((slug) => ({ slug, name: slug }) as never);
const DAY_MS = 86_400_000;

function openDialog(action = "") {
  return renderPage(<CreateKeyDialog action={action} onClose={vi.fn()} onCreated={vi.fn()} />, {
    prepare: (server) => server.answer("list_actions", { data: ACTIONS, has_more: false, next_cursor: null }),
  });
}

test("a key needs a name, a scope and a future day; all three problems are shown together", async () => {
  const { user, server } = openDialog();
  const name = screen.getByRole("textbox", { name: "Name" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Actions" }), "all");
  for (const scope of screen.getAllByRole<HTMLInputElement>("checkbox")) if (scope.checked) await user.click(scope);
  await user.selectOptions(screen.getByRole("combobox", { name: "Expires" }), "date");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await eventually(() =>
    expect(describedBy(name)).toBe("Enter a name, such as the integration that will use the key."),
  );
  screen.getByText("Choose at least one scope.");
  expect(describedBy(screen.getByLabelText("Last day"))).toBe("Choose a day in the future.");
  await expectFocus(name);
  expect(server.sent("create_key")).toEqual([]);
});

test("the server's refusals of the expiry and the quota are shown at the day and below the form", async () => {
  const { user, server } = openDialog();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Bot");
  await user.selectOptions(screen.getByRole("combobox", { name: "Actions" }), "all");
  await user.selectOptions(screen.getByRole("combobox", { name: "Expires" }), "date");
  await user.type(screen.getByLabelText("Last day"), "2999-01-01");
  server.refuse("create_key", {
    code: "BAD_REQUEST",
    message: "expires_at: is too far away",
    details: [{ field: "expires_at", pointer: "/expires_at", code: "custom", message: "is too far away" }],
  });
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await eventually(() => expect(describedBy(screen.getByLabelText("Last day"))).toBe("This is too far away."));
  server.refuse("create_key", { code: "KEY_QUOTA_EXCEEDED", message: "The plan allows three keys." });
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("The plan allows three keys.");
});

test("an untouched key can call only chosen actions, needs one of them, and expires in 90 days", async () => {
  const { user, server } = openDialog();
  const before = Date.now();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Bot");
  const scope = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  for (const name of ["workflows:write", "connectors:read", "approvals:decide"]) {
    expect([scope(name).checked, scope(name).disabled], name).toEqual([false, true]);
  }
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("Choose at least one action.");
  expect(server.sent("create_key")).toEqual([]);
  await user.click(await screen.findByRole("checkbox", { name: "refund" }));
  server.refuse("create_key", { code: "KEY_QUOTA_EXCEEDED", message: "The plan allows three keys." });
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("The plan allows three keys.");
  const [sent] = server.sent("create_key");
  expect(sent).toMatchObject({
    name: "Bot",
    scopes: ["actions:read", "actions:run", "runs:read"],
    action_slugs: ["refund"],
  });
  const expiresAtMs = Date.parse(sent?.expires_at ?? "");
  expect(expiresAtMs).toBeGreaterThanOrEqual(before + 90 * DAY_MS);
  expect(expiresAtMs).toBeLessThanOrEqual(Date.now() + 90 * DAY_MS);
});

test("a key for one action starts with this action", async () => {
  openDialog("pay-out");
  const action = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
  expect([(await action("pay-out")).checked, (await action("refund")).checked]).toEqual([true, false]);
});

test("a preset that needs more than chosen actions changes the key to all actions, and says so", async () => {
  const { user } = openDialog();
  const choice = screen.getByRole<HTMLSelectElement>("combobox", { name: "Actions" });
  expect(choice.value).toBe("some");
  await user.click(screen.getByRole("button", { name: /^Builder/ }));
  expect(choice.value).toBe("all");
  expect(describedBy(choice)).toContain("every action in the workspace");
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "workflows:write" }).checked).toBe(true);
  await user.click(screen.getByRole("button", { name: /^Agent/ }));
  expect(choice.value).toBe("all");
});

test("the dialog does not offer the reserved scope", async () => {
  openDialog();
  await screen.findByRole("checkbox", { name: "refund" });
  expect(screen.queryByRole("checkbox", { name: "workflows:run" })).toBeNull();
  expect(screen.getByRole("checkbox", { name: "workflows:write" })).toBeDefined();
});
