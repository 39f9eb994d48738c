import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { KeyObject } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { KeyList } from "@/components/features/keys/key-list";
import { keyList, sampleKey } from "@/components/testing/key.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

function renderRotation(key: KeyObject) {
  return renderPage(<KeyList />, {
    address: "/keys",
    prepare: (server) => {
      server.answer("list_keys", keyList([key]));
      server.answer("list_key_activity", { data: [] });
    },
  });
}

/** Builds a key that replaces svc_old1. */
function replacement(lastUsedAt: string | null, originalUsedAt: string | null): KeyObject {
  const replaces = { key_id: idOf(2), prefix: "svc_old1", last_used_at: originalUsedAt };
  return sampleKey({ created_at: secondsAgo(60), last_used_at: lastUsedAt, replaces });
}

test("an unused replacement waits for its first call and can be discarded", async () => {
  const { user } = renderRotation(replacement(null, secondsAgo(30)));
  const card = await screen.findByRole("region", { name: "Rotation of Support bot" });
  within(card).getByText("Waiting for its first call.");
  await user.click(within(card).getByRole("button", { name: "Revoke svc_old1…" }));
  const question = await screen.findByRole("alertdialog", { name: "Revoke Support bot?" });
  within(question).getByText("No calls have used svc_abcd… yet.");
  await user.click(within(question).getByRole("button", { name: "Cancel" }));
  await user.click(within(card).getByRole("button", { name: "Revoke the new key" }));
  within(await screen.findByRole("alertdialog")).getByText("svc_abcd…");
});

test("while both keys are used, revoking the original warns about the callers that still use it", async () => {
  const { user } = renderRotation(replacement(secondsAgo(20), secondsAgo(30)));
  const card = await screen.findByRole("region", { name: "Rotation of Support bot" });
  within(card).getByText(/It's still in use\./);
  expect(within(card).queryByRole("button", { name: "Revoke the new key" })).toBeNull();
  await user.click(within(card).getByRole("button", { name: "Revoke svc_old1…" }));
  await screen.findByText("Calls have used svc_old1… in the last ten minutes.");
});

test("an original that was quiet for ten minutes is revoked without a warning", async () => {
  const { user, server } = renderRotation(replacement(secondsAgo(20), secondsAgo(700)));
  server.answer("revoke_key", sampleKey({ key_id: idOf(2), prefix: "svc_old1", status: "revoked" }));
  const card = await screen.findByRole("region", { name: "Rotation of Support bot" });
  within(card).getByText(/No calls have used it for ten minutes\./);
  await user.click(within(card).getByRole("button", { name: "Revoke svc_old1…" }));
  await user.type(await screen.findByRole("textbox"), "Support bot{Enter}");
  await eventually(() => expect(server.sent("revoke_key")).toEqual([{ key_id: idOf(2) }]));
});

test("keeping both keys ends the rotation, and a refusal is shown in its card", async () => {
  const { user, server } = renderRotation(replacement(null, null));
  server.refuse("keep_both_keys", { code: "FORBIDDEN", message: "You need the admin role." });
  const card = await screen.findByRole("region", { name: "Rotation of Support bot" });
  await user.click(within(card).getByRole("button", { name: "Keep both" }));
  expect((await within(card).findByRole("alert")).textContent).toBe("You need the admin role.");
  server.answer("keep_both_keys", sampleKey());
  server.answer("list_keys", keyList([sampleKey()]));
  await user.click(within(card).getByRole("button", { name: "Keep both" }));
  await eventually(() => expect(screen.queryByRole("region", { name: "Rotation of Support bot" })).toBeNull());
});
