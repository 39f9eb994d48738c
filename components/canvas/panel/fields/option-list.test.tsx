import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type FieldOption, optionsFrom } from "#lib/contract/action/field-options";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { eventually } from "#lib/support/eventually.fixture";
import { fillIn, renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { sampleConnection, sampleConnectorKind } from "@/components/testing/connection.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";

const CHAT = sampleConnection({ connector: "chat", name: "Our chat" });
const CHANNELS: FieldOption[] = [
  { value: "C1", label: "general", hint: "120 members" },
  { value: "C2", label: "refunds" },
];
const PROPERTIES = {
  channel: { type: "string", title: "Channel", ...optionsFrom("channels") },
  thread: { type: "string", title: "Thread", ...optionsFrom("threads", { requires: ["channel"] }) },
  mentions: { type: "array", title: "Mentions", ...optionsFrom("users") },
};

interface ParamOptions {
  params?: JsonObject;
  connectionId?: string;
  role?: "viewer" | "editor";
  isReadOnly?: boolean;
  prepare?: (server: FakeServer) => void;
}

/** Renders a step that posts a message to a chat channel. */
function renderPost(options: ParamOptions = {}) {
  const { params = {}, connectionId = CHAT.connection_id, role = "editor", isReadOnly = false, prepare } = options;
  const data = { connector: "chat", operation: "post", connection_id: connectionId, params };
  return renderForm("connector", data, {
    isReadOnly,
    session: { role },
    prepare: (server) => {
      const chat = { connector: "chat", name: "Chat", kind: "builtin", operations: ["post"], triggers: [] };
      server.answer("list_connectors", pageOf([chat]) as never);
      server.answer("get_connector_operations", pageOf([{ operation: "post", name: "Post" }]) as never);
      server.answer("list_connection_kinds", { data: [sampleConnectorKind({ connector: "chat", name: "Chat" })] });
      server.answer("list_connections", pageOf([CHAT]));
      const schema = { type: "object", required: ["channel"], properties: PROPERTIES };
      server.answer("get_operation_schema", { params_schema: schema } as never);
      server.answer("list_field_options", ({ query = "" }) => ({
        options: CHANNELS.filter(({ label }) => label.includes(query)),
        next_cursor: null,
      }));
      prepare?.(server);
    },
  });
}
const channel = () => screen.findByRole("button", { name: /^Channel:/ });
const search = () => screen.findByRole("combobox", { name: /Channel/ });
const choices = () => screen.getAllByRole("option", { name: /general|refunds|Use/ }).map((row) => row.textContent);

test("a service's choices are shown by name, and the value behind the name is stored", async () => {
  const { user, server, dataOf } = renderPost();
  await user.click(await channel());
  const list = await screen.findByRole("listbox", { name: "Channel" });
  await user.click(await within(list).findByRole("option", { name: /refunds/ }));
  expect(dataOf()).toMatchObject({ params: { channel: "C2" } });
  expect((await channel()).getAttribute("aria-label")).toBe("Channel: refunds");
  expect(server.sent("list_field_options")[0]).toMatchObject({
    connection_id: CHAT.connection_id,
    connector: "chat",
    operation: "post",
    field: "channel",
  });
});

test("the list is searched by words and navigated with the arrow keys, and Enter chooses the marked choice", async () => {
  const { user, server, dataOf } = renderPost();
  await user.click(await channel());
  await expectFocus(await search());
  await screen.findByRole("option", { name: /refunds/ });
  await user.keyboard("{ArrowDown}{Enter}");
  expect(dataOf()).toMatchObject({ params: { channel: "C2" } });
  await user.click(await channel());
  await user.type(await search(), "gen");
  await eventually(() => expect(server.sent("list_field_options").at(-1)).toMatchObject({ query: "gen" }));
  await eventually(() => expect(choices()[0]).toMatch(/^general/));
  await expectAccessible(await screen.findByRole("dialog", { name: "Channel" }));
});

test("search text that matches no choice can be used as is", async () => {
  const { user, dataOf } = renderPost();
  await user.click(await channel());
  await user.type(await search(), "C-private");
  await user.click(await screen.findByRole("option", { name: /^Use .C-private/ }));
  expect(dataOf()).toMatchObject({ params: { channel: "C-private" } });
});

test("an empty list says that there are no choices", async () => {
  const { user } = renderPost({
    prepare: (server) => server.answer("list_field_options", { options: [], next_cursor: null }),
  });
  await user.click(await channel());
  await screen.findByText(/no choices/);
  expect(screen.queryByRole("option", { name: /general/ })).toBeNull();
});

test("a list that is longer than its page says that searching finds more", async () => {
  const { user } = renderPost({
    prepare: (server) => server.answer("list_field_options", { options: CHANNELS, next_cursor: "2" }),
  });
  await user.click(await channel());
  await screen.findByText(/There are more/);
});

test("an error from the service is shown with a retry button, and the connection is loaded again", async () => {
  const { user, server } = renderPost({
    prepare: (fake) => fake.refuse("list_field_options", { code: "BAD_REQUEST", message: "The token was revoked." }),
  });
  await user.click(await channel());
  const alert = await screen.findByRole("alert");
  within(alert).getByText("The token was revoked.");
  await eventually(() => expect(server.sent("list_connections").length).toBeGreaterThan(1));
  server.answer("list_field_options", { options: CHANNELS, next_cursor: null });
  await user.click(within(alert).getByRole("button", { name: /again/ }));
  await screen.findByRole("option", { name: /refunds/ });
});

test("refreshing loads the choices again", async () => {
  const { user, server } = renderPost();
  await user.click(await channel());
  await screen.findByRole("option", { name: /refunds/ });
  server.answer("list_field_options", { options: [{ value: "C3", label: "new room" }], next_cursor: null });
  await user.click(screen.getByRole("button", { name: /Refresh/ }));
  await screen.findByRole("option", { name: /new room/ });
});

test("a field that depends on another one asks for that first, then lists the choices for its value", async () => {
  const { user, server } = renderPost();
  await user.click(await screen.findByRole("button", { name: /^Thread:/ }));
  await screen.findByText(/Channel first/);
  expect(server.sent("list_field_options")).toEqual([]);
  await user.keyboard("{Escape}");
  await user.click(await channel());
  await user.click(await screen.findByRole("option", { name: /refunds/ }));
  await user.click(await screen.findByRole("button", { name: /^Thread:/ }));
  await eventually(() =>
    expect(server.sent("list_field_options").at(-1)).toMatchObject({ field: "thread", params: { channel: "C2" } }),
  );
});

test("an optional choice can be cleared, a required one can't", async () => {
  const { user, dataOf } = renderPost({ params: { channel: "C1", thread: "T1" } });
  await user.click(await screen.findByRole("button", { name: "Clear Thread" }));
  expect(dataOf()).toMatchObject({ params: { channel: "C1" } });
  expect(dataOf()?.params).not.toHaveProperty("thread");
  expect(screen.queryByRole("button", { name: "Clear Channel" })).toBeNull();
});

test("an expression can replace a choice, and the choices return when the expression is removed", async () => {
  const { user, dataOf } = renderPost();
  await channel();
  const [turn] = screen.getAllByRole("button", { name: /expression/ });
  if (turn !== undefined) await user.click(turn);
  const field = await screen.findByRole("textbox", { name: "Channel" });
  await expectFocus(field);
  await fillIn(user, field, "{{action_input.room}}");
  expect(dataOf()).toMatchObject({ params: { channel: "{{action_input.room}}" } });
  expect(screen.queryByRole("button", { name: /Choose from the list/ })).toBeNull();
  await fillIn(user, field, "");
  await user.click(await screen.findByRole("button", { name: /Choose from the list/ }));
  await channel();
});

test("choices are added to a field with several values, each once", async () => {
  const { user, dataOf } = renderPost({ params: { channel: "C1", mentions: ["C1"] } });
  await user.click(await screen.findByRole("button", { name: /Add from the list/ }));
  await user.click(await screen.findByRole("option", { name: /general/ }));
  await user.click(screen.getByRole("option", { name: /refunds/ }));
  expect(dataOf()).toMatchObject({ params: { mentions: ["C1", "C2"] } });
});

test.each([
  ["without a connection", { connectionId: "" }],
  ["in a read-only version", { isReadOnly: true }],
  ["for a viewer", { role: "viewer" as const }],
])("%s, no choices are loaded and the value is a plain field", async (_, options) => {
  const { server } = renderPost({ ...options, params: { channel: "C1" } });
  expect((await screen.findByRole("textbox", { name: "Channel" })).textContent).toBe("C1");
  expect(server.sent("list_field_options")).toEqual([]);
});
