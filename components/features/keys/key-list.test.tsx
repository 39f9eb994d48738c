import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { KeyObject } from "#lib/contract/wire/web";
import { KeyList } from "@/components/features/keys/key-list";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

const KEY: KeyObject = {
  key_id: "33333333-3333-4333-8333-333333333333",
  name: "Support bot",
  prefix: "sbx_live_abcd",
  scopes: ["actions:run"],
  action_slugs: null,
  status: "active",
  created_by: "Ann",
  created_at: "2026-01-05T09:00:00.000Z",
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaces: null,
};
const REVOKED: KeyObject = {
  ...KEY,
  key_id: "44444444-4444-4444-8444-444444444444",
  name: "Old bot",
  status: "revoked",
};

function renderKeys(keys: KeyObject[]) {
  return renderPage(<KeyList />, {
    address: "/keys",
    prepare: (server) => {
      server.answer("list_keys", {
        data: keys,
        has_more: false,
        next_cursor: null,
        quota: { used: 1, limit: 3, plan: "free" },
      });
      server.answer("list_key_activity", { data: [] });
      server.answer("list_actions", pageOf([]));
    },
  });
}

test("the table shows active keys, and revoked ones on request", async () => {
  const { user } = renderKeys([KEY, REVOKED]);
  const table = await screen.findByRole("table", { name: "API keys" });
  within(table).getByRole("button", { name: "Support bot" });
  expect(within(table).queryByText("Old bot")).toBeNull();
  await user.click(screen.getByRole("button", { name: "1 revoked" }));
  within(table).getByText("Old bot");
  await expectAccessible();
});

test("a list that fails to load shows the request ID and offers a retry", async () => {
  const { user, server } = renderPage(<KeyList />, {
    prepare: (fake) => fake.refuse("list_keys", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const alert = await screen.findByRole("alert");
  within(alert).getByText("Couldn't load the keys.");
  within(alert).getByText("req-test");
  server.answer("list_keys", {
    data: [],
    has_more: false,
    next_cursor: null,
    quota: { used: 0, limit: 3, plan: "free" },
  });
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByText("No keys yet");
});

test("the URL opens the dialog for a new key, and closing it returns the focus to its button", async () => {
  const { user } = renderKeys([KEY]);
  await screen.findByRole("table", { name: "API keys" });
  const open = screen.getByRole("button", { name: "New key" });
  await user.click(open);
  const dialog = await screen.findByRole("dialog", { name: "New API key" });
  expect(window.location.search).toBe("?new=true");
  await expectFocus(within(dialog).getByRole("textbox", { name: "Name" }));
  await expectAccessible();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(window.location.search).toBe("");
  await expectFocus(open);
});
