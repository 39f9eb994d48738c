import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { sampleConnectorKind } from "@/components/testing/connection.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";

const NONE = { has_more: false as const, next_cursor: null };
const WEBHOOK = { name: "Trigger", ...STEP_KINDS.trigger.newData() };
const INTERVAL = { name: "Tick", kind: "schedule", mode: "interval", seconds: 3_600 };

function prepareShop(server: FakeServer) {
  const order = { event: "order.created", name: "New order", description: "Someone ordered.", params_schema: null };
  const shop = sampleConnectorKind({ connector: "shop", name: "Shop", triggers: [order as never] });
  server.answer("list_connection_kinds", { data: [shop], ...NONE });
}

test("changing the trigger kind resets its data and its default name", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  await user.selectOptions(screen.getByRole("combobox", { name: "Starts on" }), "schedule");
  expect(dataOf()).toEqual({
    name: "Schedule",
    kind: "schedule",
    mode: "cron",
    expression: "0 9 * * 1-5",
    timezone: expect.any(String),
  });
  screen.getByText("The schedule starts when you activate the workflow.");
});

test("a typed name stays when the kind changes", async () => {
  const { user, dataOf } = renderForm("trigger", { ...WEBHOOK, name: "Nightly" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Starts on" }), "connector");
  expect(dataOf()).toMatchObject({ name: "Nightly", kind: "connector", event: "" });
});

test("a schedule switches between cron and interval", async () => {
  const { user, dataOf } = renderForm("trigger", INTERVAL);
  await fillIn(user, screen.getByRole("textbox", { name: /^Seconds between/ }), "120");
  expect(dataOf()).toEqual({ ...INTERVAL, seconds: 120 });
  await user.selectOptions(screen.getByRole("combobox", { name: "Fires" }), "cron");
  expect(dataOf()).toMatchObject({ name: "Tick", kind: "schedule", mode: "cron", expression: "0 9 * * 1-5" });
  await fillIn(user, screen.getByRole("textbox", { name: /^Cron expression/ }), "*/5 * * * *");
  await user.selectOptions(screen.getByRole("combobox", { name: "Time zone" }), "Europe/Berlin");
  expect(dataOf()).toMatchObject({ expression: "*/5 * * * *", timezone: "Europe/Berlin" });
});

test("invalid seconds stay as typed", async () => {
  const { user, dataOf } = renderForm("trigger", INTERVAL);
  await fillIn(user, screen.getByRole("textbox", { name: /^Seconds between/ }), "often");
  expect(dataOf()).toEqual({ ...INTERVAL, seconds: "often" });
});

test("a generated secret is stored sealed and shown once, and its signature scheme can be chosen", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK, {
    prepare: (server) => server.answer("seal_secret", { secret: "whsec_plain", sealed: "sealed-text" }),
  });
  expect(screen.queryByRole("combobox", { name: "Signature scheme" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Generate a secret" }));
  await screen.findByText("whsec_plain");
  expect(dataOf()).toMatchObject({ secret: "sealed-text" });
  expect(JSON.stringify(dataOf())).not.toContain("whsec_plain");
  await user.selectOptions(screen.getByRole("combobox", { name: "Signature scheme" }), "generic");
  await user.selectOptions(screen.getByRole("combobox", { name: "Hash" }), "sha512");
  await fillIn(user, screen.getByRole("textbox", { name: "Header" }), " x-sig ");
  await fillIn(user, screen.getByRole("textbox", { name: /^Maximum age/ }), "60");
  expect(dataOf()).toMatchObject({ scheme: "generic", algorithm: "sha512", header: "x-sig", tolerance_seconds: 60 });
});

test("a typed secret is sent once and never shown, and removing it deletes it", async () => {
  const { user, dataOf, server } = renderForm("trigger", WEBHOOK, {
    prepare: (fake) => fake.answer("seal_secret", { secret: "typed", sealed: "sealed-text" }),
  });
  await user.click(screen.getByRole("button", { name: "Enter a secret" }));
  await user.type(screen.getByLabelText("Secret from the sender"), "  typed {Enter}");
  const secret = within(screen.getByRole("region", { name: "Secret" }));
  await secret.findByText("Set");
  expect(server.sent("seal_secret")).toEqual([{ secret: "typed" }]);
  expect(screen.queryByText("typed")).toBeNull();
  await user.click(secret.getByRole("button", { name: "Remove" }));
  expect(dataOf()).not.toHaveProperty("secret");
});

test("an event is chosen by service and name, and choosing another service clears it", async () => {
  const start = { name: "Event", kind: "connector", connector: "", event: "", params: {} };
  const { user, dataOf } = renderForm("trigger", start, { prepare: prepareShop });
  await user.selectOptions(await screen.findByRole("combobox", { name: "Service" }), "shop");
  await user.selectOptions(screen.getByRole("combobox", { name: "Event" }), "order.created");
  screen.getByText("Someone ordered.");
  expect(dataOf()).toEqual({ ...start, connector: "shop", event: "order.created" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Service" }), "");
  expect(dataOf()).toEqual(start);
});
