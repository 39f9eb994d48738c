import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { eventually } from "#lib/support/eventually.fixture";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";

const NONE = { has_more: false as const, next_cursor: null };
type Connector = WebOperations["list_connectors"]["output"]["data"][number];
type Operation = WebOperations["get_connector_operations"]["output"]["data"][number];
type Schema = WebOperations["get_operation_schema"]["output"];

const connector = (name: string, label: string) =>
  ({
    connector: name,
    name: label,
    kind: "builtin",
    operations: ["any"],
    triggers: [],
  }) as Partial<Connector> as Connector;

function prepare(server: FakeServer) {
  server.answer("list_connectors", { data: [connector("http", "HTTP"), connector("shop", "Shop")], ...NONE });
  const refund = { operation: "refund", name: "Refund", description: "Pays back." } as Partial<Operation> as Operation;
  server.answer("get_connector_operations", { data: [refund], ...NONE } as never);
  const params = {
    type: "object",
    required: ["order"],
    properties: {
      order: { type: "string", title: "Order" },
      cents: { type: "integer", title: "Cents" },
      notify: { type: "boolean", title: "Notify" },
      reason: { type: "string", title: "Reason", enum: ["damaged", "late"] },
      tags: { type: "array", title: "Tags" },
    },
  };
  server.answer("get_operation_schema", { params_schema: params } as Partial<Schema> as Schema);
}

const REQUEST = { name: "Ask", connector: "http", operation: "request", params: { method: "GET", url: "" } };

test("a request has a method, a URL, query parameters and headers", async () => {
  const { user, dataOf } = renderForm("connector", REQUEST);
  await user.selectOptions(screen.getByRole("combobox", { name: "Method" }), "DELETE");
  await fillIn(user, screen.getByRole("textbox", { name: "URL" }), "https://shop.example/{{action_input.amount}}");
  const headers = within(screen.getByRole("region", { name: "Headers" }));
  await user.click(headers.getByRole("button", { name: "Add header" }));
  await fillIn(user, headers.getByRole("textbox", { name: "Name of header 1" }), "x-team");
  await fillIn(user, headers.getByRole("textbox", { name: "Value of x-team" }), "blue");
  expect(dataOf()).toMatchObject({
    params: {
      method: "DELETE",
      url: "https://shop.example/{{action_input.amount}}",
      headers: { "x-team": "blue" },
    },
  });
});

test("the body field is shown only for methods that send a body", async () => {
  const { user } = renderForm("connector", REQUEST);
  expect(screen.queryByRole("textbox", { name: "Body" })).toBeNull();
  await user.selectOptions(screen.getByRole("combobox", { name: "Method" }), "POST");
  screen.getByRole("textbox", { name: "Body" });
});

test("a body that parses as JSON is sent as JSON, and a button adds missing quotes around expressions", async () => {
  const { user, dataOf } = renderForm("connector", { ...REQUEST, params: { method: "POST", url: "" } });
  const body = screen.getByRole("textbox", { name: "Body" });
  await fillIn(user, body, '{"order": {{action_input.amount}}}');
  expect(dataOf()).toMatchObject({ params: { body: '{"order": {{action_input.amount}}}' } });
  screen.getByText("sent as text");
  await user.click(screen.getByRole("button", { name: "Put expressions in quotes" }));
  expect(dataOf()).toMatchObject({ params: { body: { order: "{{action_input.amount}}" } } });
  screen.getByText("sent as JSON");
});

test("choosing another service drops the request and keeps the name and the retries", async () => {
  const { user, dataOf } = renderForm("connector", { ...REQUEST, maxRetries: 2 }, { prepare });
  await screen.findByRole("option", { name: "Shop" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Service" }), "Shop");
  expect(dataOf()).toEqual({ name: "Ask", maxRetries: 2, connector: "shop", operation: "", params: {} });
  await user.selectOptions(screen.getByRole("combobox", { name: "Service" }), "HTTP");
  expect(dataOf()).toEqual({ ...REQUEST, maxRetries: 2 });
});

test("an operation shows its params, each by its type", async () => {
  const { user, dataOf } = renderForm("connector", { connector: "shop", operation: "", params: {} }, { prepare });
  await screen.findByRole("option", { name: "Refund" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Operation" }), "Refund");
  screen.getByText("Pays back.");
  await fillIn(user, await screen.findByRole("textbox", { name: "Order" }), "{{action_input.amount}}");
  await fillIn(user, screen.getByRole("textbox", { name: "Cents" }), "250");
  await fillIn(user, screen.getByRole("textbox", { name: "Notify" }), "true");
  await fillIn(user, screen.getByRole("textbox", { name: "Tags" }), '["a"]');
  await user.selectOptions(screen.getByRole("combobox", { name: "Reason" }), "late");
  const params = { order: "{{action_input.amount}}", cents: 250, notify: true, tags: ["a"], reason: "late" };
  expect(dataOf()).toEqual({ connector: "shop", operation: "refund", params });
  await user.selectOptions(screen.getByRole("combobox", { name: "Reason" }), "Not set");
  await fillIn(user, screen.getByRole("textbox", { name: "Cents" }), "");
  expect(dataOf()).toMatchObject({ params: { order: "{{action_input.amount}}", notify: true, tags: ["a"] } });
  expect(Object.keys((dataOf()?.params ?? {}) as object)).toEqual(["order", "notify", "tags"]);
});

test("an error is shown when the params can't be loaded", async () => {
  renderForm(
    "connector",
    { connector: "shop", operation: "refund", params: {} },
    {
      prepare: (server) => {
        prepare(server);
        server.refuse("get_operation_schema", { code: "INTERNAL_ERROR", message: "It did not work." });
      },
    },
  );
  await screen.findByText("Couldn't load the parameters of this operation.");
});

const WITH_SECRET = {
  ...REQUEST,
  params: {
    method: "GET",
    url: "https://shop.example/orders",
    headers: { Authorization: "Bearer abc", "x-team": "blue" },
  },
};
const CONNECTION_ID = "0190a000-0000-7000-8000-000000000001";
const made = { connection: { connection_id: CONNECTION_ID }, test: { outcome: "untested", message: "" } } as never;

test("one action moves a secret in a header to a connection, leaves the rest of the step, and can be undone", async () => {
  const { user, server, session, dataOf } = renderForm("connector", WITH_SECRET, {
    prepare: (server) => server.answer("create_connection", made),
  });
  await user.click(screen.getByRole("button", { name: "Move to a connection" }));
  await eventually(() => expect(dataOf()).toMatchObject({ connection_id: CONNECTION_ID }));
  expect(server.sent("create_connection")).toEqual([
    { connector: "http", name: "shop.example", auth: "bearer", fields: { token: "abc", hosts: "shop.example" } },
  ]);
  expect(dataOf()).toEqual({
    ...WITH_SECRET,
    connection_id: CONNECTION_ID,
    params: { ...WITH_SECRET.params, headers: { "x-team": "blue" } },
  });
  expect(screen.queryByRole("button", { name: "Move to a connection" })).toBeNull();
  act(() => session.editor.getState().undo());
  expect(dataOf()).toEqual(WITH_SECRET);
});

test("a refused connection leaves the secret where it is and shows the reason", async () => {
  const { user, server, dataOf } = renderForm("connector", WITH_SECRET);
  server.refuse("create_connection", { code: "FORBIDDEN", message: "You need the editor role or higher." });
  await user.click(screen.getByRole("button", { name: "Move to a connection" }));
  await screen.findByText("You need the editor role or higher.");
  expect(dataOf()).toEqual(WITH_SECRET);
});

test("a viewer is not offered to move a secret", () => {
  renderForm("connector", WITH_SECRET, { isReadOnly: true, session: { role: "viewer" } });
  expect(screen.queryByRole("button", { name: "Move to a connection" })).toBeNull();
});
