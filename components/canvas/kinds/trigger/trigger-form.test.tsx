import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { triggerConfig } from "#lib/core/steps/trigger/trigger-data";
import { eventually } from "#lib/support/eventually.fixture";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { sampleConnectorKind } from "@/components/testing/connection.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { expectAccessible } from "@/components/testing/render-page.fixture";
import { sampleWorkflow } from "@/components/testing/workflow.fixture";

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
  await user.selectOptions(screen.getByRole("combobox", { name: "Runs" }), "cron");
  expect(dataOf()).toMatchObject({ name: "Tick", kind: "schedule", mode: "cron", expression: "0 9 * * 1-5" });
  await fillIn(user, screen.getByRole("textbox", { name: /^Cron expression/ }), "*/5 * * * *");
  await user.click(screen.getByRole("button", { name: /^Time zone: UTC/ }));
  await user.type(await screen.findByRole("combobox", { name: "Search time zones" }), "berlin{Enter}");
  expect(dataOf()).toMatchObject({ expression: "*/5 * * * *", timezone: "Europe/Berlin" });
});

test("a calendar form writes the cron expression", async () => {
  const { user, dataOf } = renderForm("trigger", {
    name: "Report",
    kind: "schedule",
    mode: "cron",
    expression: "0 9 * * 1-5",
    timezone: "UTC",
  });
  const choose = (name: string, value: string) => user.selectOptions(screen.getByRole("combobox", { name }), value);
  fireEvent.change(screen.getByLabelText("Time"), { target: { value: "17:30" } });
  expect(dataOf()).toMatchObject({ expression: "30 17 * * 1-5" });
  await user.click(screen.getByRole("checkbox", { name: "Friday" }));
  await user.click(screen.getByRole("button", { name: "Add a time" }));
  expect(dataOf()).toMatchObject({ expression: "30 17,18 * * 1,2,3,4" });
  await choose("Time 2", "8");
  await choose("Repeats", "month_weekday");
  await choose("Which", "L");
  await choose("Day", "5");
  expect(dataOf()).toMatchObject({ expression: "30 17,8 * * 5#L" });
  await user.click(screen.getByRole("button", { name: "Remove time 1" }));
  expect(dataOf()).toMatchObject({ expression: "30 8 * * 5#L" });
  await choose("Repeats", "hour");
  await choose("Minutes past the hour", "15");
  expect(dataOf()).toMatchObject({ expression: "15 * * * *" });
  await expectAccessible();
});

test("an expression that says more than the calendar form opens as cron, and stays as it is", async () => {
  const data = { name: "Often", kind: "schedule", mode: "cron", expression: "*/5 8-18 * * 1-5", timezone: "UTC" };
  const { user, dataOf } = renderForm("trigger", data);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /^Cron expression/ }).value).toBe("*/5 8-18 * * 1-5");
  expect(dataOf()).toEqual(data);
  await user.selectOptions(screen.getByRole("combobox", { name: "Runs" }), "calendar");
  expect(dataOf()).toEqual({ ...data, expression: "0 9 * * 1-5" });
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
  expect(screen.queryByRole("textbox", { name: /^Maximum age/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Generate a secret" }));
  await screen.findByText("whsec_plain");
  expect(dataOf()).toMatchObject({ secret: "sealed-text" });
  expect(JSON.stringify(dataOf())).not.toContain("whsec_plain");
  await user.selectOptions(screen.getByRole("combobox", { name: "Sender" }), "generic");
  await user.selectOptions(screen.getByRole("combobox", { name: "Hash" }), "sha512");
  await fillIn(user, screen.getByRole("textbox", { name: "Header" }), " x-sig ");
  await fillIn(user, screen.getByRole("textbox", { name: /^Maximum age/ }), "60");
  expect(dataOf()).toMatchObject({ scheme: "generic", algorithm: "sha512", header: "x-sig", tolerance_seconds: 60 });
});

test("a sender says which of its values is the secret, and one that brings its secret needs none", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  const sender = screen.getByRole("combobox", { name: "Sender" });
  await user.selectOptions(sender, "Shopify");
  screen.getByText(/^Secret: client secret of the app/);
  screen.getByText(/^Without a secret, anyone/);
  await user.selectOptions(sender, "Asana");
  screen.getByText(/^The service sends its secret/);
  expect(dataOf()).toMatchObject({ scheme: "asana" });
});

test("a custom sender is described as JSON, and what is not JSON stays as typed", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  await user.selectOptions(screen.getByRole("combobox", { name: "Sender" }), "custom");
  const field = screen.getByRole("textbox", { name: /^Verification/ });
  await fillIn(user, field, '{"type":"token","token":{"header":"x-token"}}');
  expect(dataOf()).toMatchObject({ verification: { type: "token", token: { header: "x-token" } } });
  await fillIn(user, field, "{");
  expect(dataOf()).toMatchObject({ verification: "{" });
});

test("what makes a delivery a duplicate can be chosen, and the sender's own ID is the default", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  const rule = screen.getByRole("combobox", { name: "Duplicate deliveries" });
  expect(within(rule).getByRole<HTMLOptionElement>("option", { name: "By the sender's ID" }).selected).toBe(true);
  await user.selectOptions(rule, "Start a run each time");
  expect(dataOf()).toMatchObject({ delivery_id: "none" });
  screen.getByText(/^Every delivery starts a run/);
  await user.selectOptions(rule, "By the whole body");
  expect(dataOf()).toMatchObject({ delivery_id: "whole_body" });
  await user.selectOptions(rule, "By the sender's ID");
  expect(dataOf()).not.toHaveProperty("delivery_id");
});

test("the values that identify a delivery are named by their place, and a wrong name is marked", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  await user.selectOptions(screen.getByRole("combobox", { name: "Duplicate deliveries" }), "places");
  expect(dataOf()).toMatchObject({ delivery_id: [{ body: "" }] });
  await user.click(screen.getByRole("button", { name: "Add value" }));
  const [first, second] = screen.getAllByRole("listitem").map((item) => within(item));
  if (!first || !second) throw new Error("the form has two values");
  await fillIn(user, first.getByRole("textbox", { name: "Path" }), " event.id ");
  await user.selectOptions(second.getByRole("combobox", { name: "Where" }), "header");
  await fillIn(user, second.getByRole("textbox", { name: "Header name" }), "x-event id");
  await fillIn(user, second.getByRole("textbox", { name: /^Part/ }), "v1");
  expect(dataOf()).toMatchObject({ delivery_id: [{ body: "event.id" }, { header: "x-event id", part: "v1" }] });
  await eventually(() => screen.getByText(/^Must be a header name/));
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Remove value 2" }));
  expect(dataOf()).toMatchObject({ delivery_id: [{ body: "event.id" }] });
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

test("a webhook of a draft shows its URL, and says when it starts runs", async () => {
  const url = "https://hooks.example/webhooks/0b5e3f0c-9a57-4c7e-a3ba-2f3a44a04c9b";
  renderForm("trigger", WEBHOOK, { facts: { webhook_url: url } });
  const address = screen.getByRole("region", { name: "URL" });
  within(address).getByText(url);
  within(address).getByRole("button", { name: "Copy URL" });
  screen.getByText(/^The URL starts runs once you activate the workflow/);
  await expectAccessible();
});

test("a failure trigger takes all workflows, or those that a person chooses", async () => {
  const workflow = (id: string, name: string) => sampleWorkflow({ workflow_id: id, name });
  const { user, dataOf } = renderForm(
    "trigger",
    { name: "Failure", kind: "failure" },
    {
      prepare: (server) =>
        server.answer("list_workflows", { ...NONE, data: [workflow("w1", "This one"), workflow("w2", "Orders")] }),
    },
  );
  const watched = screen.getByRole("combobox", { name: "When runs fail of" });
  await user.selectOptions(watched, "Only these workflows");
  await user.click(await screen.findByRole("checkbox", { name: "Orders" }));
  expect(dataOf()).toEqual({ name: "Failure", kind: "failure", workflow_ids: ["w2"] });
  expect(screen.queryByRole("checkbox", { name: "This one" })).toBeNull();
  await expectAccessible();
  await user.click(screen.getByRole("checkbox", { name: "Orders" }));
  expect(dataOf()).toMatchObject({ workflow_ids: [] });
  await user.selectOptions(watched, "Any workflow in this workspace");
  expect(dataOf()).toEqual({ name: "Failure", kind: "failure" });
});

test("a webhook chooses its methods, and responds with what the run returns", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  expect([box("POST").checked, box("POST").disabled]).toEqual([true, true]);
  await user.click(box("GET"));
  await user.click(box("POST"));
  expect(dataOf()).toMatchObject({ methods: ["GET"] });
  screen.getByText("The body of a GET request is an object with its query parameters.");
  await user.click(box("POST"));
  await user.click(box("GET"));
  expect(dataOf()).not.toHaveProperty("methods");
  await user.selectOptions(screen.getByRole("combobox", { name: "Response" }), "What the run returns");
  await fillIn(user, screen.getByRole("textbox", { name: /^Wait up to/ }), "5");
  expect(dataOf()).toMatchObject({ respond: "result", wait_seconds: 5 });
  await expectAccessible();
});

test("a new form can be published as it is, is previewed, and its fields and answer are edited", async () => {
  const { user, dataOf } = renderForm("trigger", WEBHOOK);
  await user.selectOptions(screen.getByRole("combobox", { name: "Starts on" }), "form");
  expect(triggerConfig.safeParse(dataOf()).success).toBe(true);
  await user.click(screen.getByRole("button", { name: "Preview" }));
  const preview = screen.getByTitle("Contact us");
  expect(preview.getAttribute("sandbox")).toBe("");
  expect(preview.getAttribute("srcdoc")).toContain('name="field.email"');
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Remove field 2" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "choice");
  await fillIn(user, screen.getByRole("textbox", { name: /^Options/ }), "Sales\nSupport");
  const email = { name: "email", label: "Email", type: "choice", required: true, options: ["Sales", "Support"] };
  expect(dataOf()).toMatchObject({ name: "Form", fields: [email] });
  await user.selectOptions(screen.getByRole("combobox", { name: "After sending, show" }), "result");
  await fillIn(user, screen.getByRole("textbox", { name: /^Seconds to wait/ }), "20");
  expect(dataOf()).toMatchObject({ answer: { type: "result", wait_seconds: 20 } });
  // Only a list has options.
  await user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "text");
  expect(dataOf()).toMatchObject({ fields: [{ type: "text" }] });
  expect(dataOf()).not.toHaveProperty("fields.0.options");
});
