import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateKeyDialog } from "@/components/features/keys/create-key-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

test("a key needs a name, a scope and a future day; all three problems are shown together", async () => {
  const { user, server } = renderPage(<CreateKeyDialog onClose={vi.fn()} onCreated={vi.fn()} />);
  const name = screen.getByRole("textbox", { name: "Name" });
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
  const { user, server } = renderPage(<CreateKeyDialog onClose={vi.fn()} onCreated={vi.fn()} />);
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Bot");
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

test("a key limited to some actions needs one, and can hold only the scopes that stay within them", async () => {
  const actions = ["refund", "pay-out"].map((slug) => ({ slug, name: slug }) as never);
  const { user, server } = renderPage(<CreateKeyDialog onClose={vi.fn()} onCreated={vi.fn()} />, {
    prepare: (server) => server.answer("list_actions", { data: actions, has_more: false, next_cursor: null }),
  });
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Bot");
  await user.selectOptions(screen.getByRole("combobox", { name: "Actions" }), "some");
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
  expect(server.sent("create_key")).toEqual([
    { name: "Bot", scopes: ["actions:read", "actions:run", "runs:read"], action_slugs: ["refund"] },
  ]);
});
