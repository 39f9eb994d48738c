import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CreatedKey } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { KeyList } from "@/components/features/keys/key-list";
import { createdKey, keyList, sampleKey } from "@/components/testing/key.fixture";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

const RAW = createdKey().raw_key;

async function createKey(key: CreatedKey = createdKey()) {
  const page = renderPage(<KeyList />, {
    address: "/keys?new=true",
    prepare: (server) => {
      server.answer("list_keys", keyList([]));
      server.answer("list_key_activity", { data: [] });
      server.answer("list_actions", pageOf([]));
      server.answer("create_key", key);
    },
  });
  await page.user.type(await screen.findByRole("textbox", { name: "Name" }), "Support bot");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Actions" }), "all");
  await page.user.click(screen.getByRole("button", { name: "Create key" }));
  return { ...page, dialog: await screen.findByRole("dialog", { name: "Key Support bot created" }) };
}

test("the raw key is shown once: after the dialog closes it is nowhere on the page", async () => {
  const { user, server, dialog } = await createKey();
  expect(within(dialog).getByTestId("raw-key").textContent).toBe(RAW);
  await expectFocus(within(dialog).getByRole("button", { name: "Copy key" }));
  await expectAccessible();
  server.answer("list_keys", keyList([sampleKey()]));
  await user.click(screen.getByRole("button", { name: "I saved it" }));
  await screen.findByRole("table", { name: "API keys" });
  expect(document.body.innerHTML).not.toContain(RAW);
  expect(server.sent("create_key")).toHaveLength(1);
});

test("closing the dialog without saving the key asks first, and can return to the key", async () => {
  const { user } = await createKey();
  await user.keyboard("{Escape}");
  const question = await screen.findByRole("alertdialog", { name: "Close without saving the key?" });
  await user.click(within(question).getByRole("button", { name: "Go back to the key" }));
  expect(screen.getByTestId("raw-key").textContent).toBe(RAW);
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Close", description: "" }));
  expect(document.body.innerHTML).not.toContain("Key Support bot created");
});

test("leaving the page while the key is shown triggers the browser's prompt", async () => {
  const { user } = await createKey();
  const leave = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(true);
  await user.click(screen.getByRole("button", { name: "I saved it" }));
  await eventually(() => expect(leave()).toBe(false));
});

test("the copied text is the whole key", async () => {
  const { user, dialog } = await createKey();
  await user.click(within(dialog).getByRole("button", { name: "Copy key" }));
  expect(await navigator.clipboard.readText()).toBe(RAW);
  await within(dialog).findByRole("button", { name: "Copied" });
});

test("the first call lists the actions only for a key that can read them", async () => {
  const { dialog, user } = await createKey(createdKey({ scopes: ["actions:read", "actions:run"] }));
  const call = within(dialog).getByRole("figure", { name: "Make a first call" });
  expect(call.textContent).toContain("https://signalbox.example/api/v1/runtime/actions");
  await user.click(within(call).getByRole("button", { name: "Claude Code" }));
  expect(call.textContent).toContain(
    'claude mcp add --transport http signalbox "https://signalbox.example/mcp?answers=short"',
  );
});

test("the first call of a key without the read scope only sets the environment variable", async () => {
  const { dialog } = await createKey(createdKey({ scopes: ["actions:run"] }));
  const call = within(dialog).getByRole("figure", { name: "Make a first call" });
  expect(call.textContent).toContain(`export SVC_API_KEY=${RAW}`);
  expect(call.textContent).not.toContain("/api/v1/runtime/actions");
});
