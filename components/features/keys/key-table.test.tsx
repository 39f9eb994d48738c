import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { KeyListObject } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { KeyList } from "@/components/features/keys/key-list";
import { keyList, sampleKey } from "@/components/testing/key.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderKeys(list: KeyListObject) {
  return renderPage(<KeyList />, {
    address: "/keys",
    prepare: (server) => {
      server.answer("list_keys", list);
      server.answer("list_key_activity", { data: [] });
      server.answer("list_actions", pageOf([]));
    },
  });
}

const row = async (name: string) => {
  const cell = await screen.findByRole("button", { name });
  const found = cell.closest("tr");
  if (found === null) throw new Error(`${name} is in no row`);
  return within(found);
};

test("a row shows the prefix, the status and the creator, and nothing else of the key", async () => {
  renderKeys(keyList([sampleKey({ status: "expired", expires_at: secondsAgo(3_600) })]));
  const cells = await row("Support bot");
  cells.getByText("svc_abcd…");
  expect(cells.getAllByText("Expired").length).toBeGreaterThan(0);
  expect(cells.getByRole("cell", { name: /by Ann$/ }).textContent).toMatch(/ by Ann$/);
  cells.getByText("1 hr. ago");
  cells.getByText("Never");
});

test("the menu of an expired key offers its usage and revocation, but no rotation", async () => {
  const { user } = renderKeys(keyList([sampleKey({ status: "expired" })]));
  await user.click(await screen.findByRole("button", { name: "More for Support bot" }));
  await screen.findByRole("menu");
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["View usage", "Revoke…"]);
});

test("the arrow key opens the menu of a key, and Escape returns the focus to its button", async () => {
  const { user } = renderKeys(keyList([sampleKey()]));
  const more = await screen.findByRole("button", { name: "More for Support bot" });
  more.focus();
  await user.keyboard("{ArrowDown}");
  await screen.findByRole("menu");
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["View usage", "Rotate…", "Revoke…"]);
  await user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("menu")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "More for Support bot" }));
});

test("a list with only revoked keys says that there are no active keys", async () => {
  const { user } = renderKeys(keyList([sampleKey({ status: "revoked" })]));
  await screen.findByText("No active keys.");
  const fold = screen.getByRole("button", { name: "1 revoked" });
  expect(fold.getAttribute("aria-expanded")).toBe("false");
  await user.click(fold);
  expect(fold.getAttribute("aria-expanded")).toBe("true");
  expect(screen.queryByText("No active keys.")).toBeNull();
  expect(screen.queryByRole("button", { name: "More for Support bot" })).toBeNull();
});

test("a full quota disables the button for a new key and says how to make room", async () => {
  const { user } = renderKeys(keyList([sampleKey()], { used: 3 }));
  const words = await screen.findByText(/^3 of 3 active keys on the free plan\. Revoke one to make room/);
  const create = screen.getByRole<HTMLButtonElement>("button", { name: "New key" });
  expect(create.disabled).toBe(true);
  expect(create.getAttribute("aria-describedby")).toBe(words.id);
  await user.keyboard("n");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a plan without a limit shows only the number of keys", async () => {
  renderKeys(keyList([sampleKey()], { used: 1, limit: null, plan: "business" }));
  await screen.findByText("1 active key. The business plan has no limit.");
});

test("the letter N opens the form of a new key", async () => {
  const { user } = renderKeys(keyList([sampleKey()]));
  await screen.findByRole("button", { name: "Support bot" });
  await user.keyboard("n");
  await screen.findByRole("dialog", { name: "New API key" });
});

test("the next page of keys is appended to the first", async () => {
  const { user, server } = renderKeys({ ...keyList([sampleKey()]), has_more: true, next_cursor: "second" });
  await screen.findByRole("button", { name: "Support bot" });
  const second = sampleKey({ key_id: idOf(2), name: "Billing bot" });
  server.answer("list_keys", ({ cursor }) =>
    cursor === "second" ? keyList([second]) : { ...keyList([sampleKey()]), ...pageOf([sampleKey()], "second") },
  );
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await screen.findByRole("button", { name: "Billing bot" });
  screen.getByRole("button", { name: "Support bot" });
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(server.sent("list_keys").at(-1)).toMatchObject({ cursor: "second" });
});

test("an editor sees who to ask for a key, and no keys are requested", async () => {
  const { server } = renderPage(<KeyList />, { session: { role: "editor" } });
  screen.getByRole("heading", { name: "You need the admin role to manage API keys" });
  expect(server.sent("list_keys")).toEqual([]);
  await expectAccessible();
});
