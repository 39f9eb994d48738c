import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { KeyObject } from "#lib/contract/wire/web";
import { KeyList } from "@/components/features/keys/key-list";
import { createdKey, keyList, sampleKey } from "@/components/testing/key.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderKeys(keys: KeyObject[], used = keys.length) {
  return renderPage(<KeyList />, {
    address: "/keys",
    prepare: (server) => {
      server.answer("list_keys", keyList(keys, { used }));
      server.answer("list_key_activity", { data: [] });
    },
  });
}

async function choose(user: ReturnType<typeof renderPage>["user"], item: string) {
  await user.click(await screen.findByRole("button", { name: "More for Support bot" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return screen.findByRole("alertdialog");
}

test("a rotation without downtime keeps the old key and shows the new one once", async () => {
  const { user, server } = renderKeys([sampleKey()]);
  server.answer("rotate_key", createdKey());
  await choose(user, "Rotate…");
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Create the replacement" }));
  const dialog = await screen.findByRole("dialog", { name: "Support bot has a new key" });
  within(dialog).getByText(/The old key works until you revoke it/);
  within(dialog).getByTestId("raw-key");
  expect(server.sent("rotate_key")).toEqual([{ key_id: idOf(1), keep_original: true }]);
});

test("an immediate rotation revokes the old key in the same request", async () => {
  const { user, server } = renderKeys([sampleKey()]);
  server.answer("rotate_key", createdKey());
  await choose(user, "Rotate…");
  await user.click(screen.getByRole("radio", { name: /^Immediately/ }));
  await user.click(screen.getByRole("button", { name: "Rotate now" }));
  await screen.findByText(/The old key no longer works/);
  expect(server.sent("rotate_key")).toEqual([{ key_id: idOf(1), keep_original: false }]);
});

test("a plan without room for a second key offers only the immediate rotation", async () => {
  const { user } = renderKeys([sampleKey()], 3);
  await choose(user, "Rotate…");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Without downtime/ }).disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Immediately/ }).checked).toBe(true);
  screen.getByRole("button", { name: "Rotate now" });
});

test("a refused rotation keeps the dialog open and shows the reason", async () => {
  const { user, server } = renderKeys([sampleKey()]);
  server.refuse("rotate_key", { code: "KEY_QUOTA_EXCEEDED", message: "The plan allows three keys." });
  const question = await choose(user, "Rotate…");
  await user.click(screen.getByRole("button", { name: "Create the replacement" }));
  expect((await within(question).findByRole("alert")).textContent).toBe("The plan allows three keys.");
});

test("a key can be revoked only after its name is typed", async () => {
  const { user, server } = renderKeys([sampleKey()]);
  server.answer("revoke_key", sampleKey({ status: "revoked" }));
  await choose(user, "Revoke…");
  const revoke = screen.getByRole<HTMLButtonElement>("button", { name: "Revoke key" });
  expect(revoke.disabled).toBe(true);
  await user.type(screen.getByRole("textbox", { name: "Type Support bot to confirm" }), "Support{Enter}");
  expect(server.sent("revoke_key")).toEqual([]);
  server.answer("list_keys", keyList([sampleKey({ status: "revoked" })]));
  await user.type(screen.getByRole("textbox"), " bot{Enter}");
  await screen.findByText("Key revoked. Calls with svc_abcd now get 401.");
  expect(server.sent("revoke_key")).toEqual([{ key_id: idOf(1) }]);
  await screen.findByText("No active keys.");
});
