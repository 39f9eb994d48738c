import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConnectionObject } from "#lib/contract/connection/connection";
import { eventually } from "#lib/support/eventually.fixture";
import { renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { sampleConnection, sampleConnectorKind } from "@/components/testing/connection.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible } from "@/components/testing/render-page.fixture";

const SHOP = sampleConnection({
  connector: "shop",
  name: "Main shop",
  origins: ["https://api.shop.example"],
});
const OUTLET = sampleConnection({ connector: "shop", connection_id: idOf(2), name: "Outlet" });
const OTHER = sampleConnection({ connector: "mail", connection_id: idOf(3), name: "Mailbox" });
const BROKEN = sampleConnection({
  connector: "shop",
  connection_id: idOf(4),
  name: "Old shop",
  status: "expired",
  last_error: "The service answered 401.",
});
const KINDS = [
  sampleConnectorKind({ connector: "shop", name: "Shop" }),
  sampleConnectorKind({ connector: "mail", name: "Mail" }),
];

interface PickerOptions {
  connections?: ConnectionObject[];
  chosen?: string;
  role?: "viewer" | "editor";
  isReadOnly?: boolean;
  prepare?: (server: FakeServer) => void;
}

/** Renders the form of a step that calls the shop. */
function renderPicker({ connections = [], chosen = "", role = "editor", isReadOnly = false, prepare }: PickerOptions) {
  const data = { connector: "shop", operation: "", connection_id: chosen, params: {} };
  return renderForm("connector", data, {
    isReadOnly,
    isFresh: false,
    session: { role },
    prepare: (server) => {
      const shop = { connector: "shop", name: "Shop", kind: "builtin" as const, operations: ["refund"], triggers: [] };
      server.answer("list_connectors", pageOf([shop]) as never);
      server.answer("get_connector_operations", pageOf([]) as never);
      server.answer("list_connection_kinds", { data: KINDS });
      server.answer("list_connections", pageOf(connections));
      prepare?.(server);
    },
  });
}
const picker = () => screen.getByRole("combobox", { name: /^Connection/ });
const options = () =>
  within(picker())
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

test("without a connection to the service there are no choices, and one can be created on the spot", async () => {
  const { user, server, dataOf, container } = renderPicker({ connections: [OTHER] });
  server.answer("create_connection", { connection: SHOP, test: { outcome: "ok", message: "" } });
  const add = await screen.findByRole("button", { name: /New connection/ });
  expect(options()).toHaveLength(1);
  await user.click(add);
  const dialog = within(await screen.findByRole("dialog", { name: /connection/ }));
  expect((await dialog.findAllByRole("option")).map(({ textContent }) => textContent)).toContain("Shop");
  expect(dialog.queryByRole("option", { name: "Mail" })).toBeNull();
  await user.type(dialog.getByLabelText("Token"), "s3cret");
  server.answer("list_connections", pageOf([SHOP]));
  await user.click(dialog.getByRole("button", { name: /save/ }));
  await screen.findByRole("option", { name: "Main shop" });
  expect(dataOf()).toMatchObject({ connection_id: SHOP.connection_id });
  expect(picker()).toHaveProperty("value", SHOP.connection_id);
  await expectAccessible(container);
});

test("only connections to the step's service are offered, and choosing one shows where its secret is sent", async () => {
  const { user, dataOf } = renderPicker({ connections: [SHOP, OTHER, OUTLET] });
  await screen.findByRole("option", { name: "Outlet" });
  expect(options().slice(1)).toEqual(["Main shop", "Outlet"]);
  await user.selectOptions(picker(), "Main shop");
  expect(dataOf()).toMatchObject({ connection_id: SHOP.connection_id });
  await screen.findByText(/api\.shop\.example$/);
});

test("a broken connection is marked in the list, shows its error, and can be repaired on the spot", async () => {
  const { user, server } = renderPicker({ connections: [SHOP, BROKEN], chosen: BROKEN.connection_id });
  await screen.findByRole("option", { name: /^Old shop \(expired\)$/ });
  screen.getByText("The service answered 401.");
  await user.click(screen.getByRole("button", { name: /Replace/ }));
  const dialog = within(await screen.findByRole("dialog", { name: /Old shop/ }));
  await user.type(await dialog.findByLabelText("Token"), "new");
  const connection: ConnectionObject = { ...BROKEN, status: "connected", last_error: null };
  server.answer("replace_credentials", { connection, test: { outcome: "ok", message: "" } });
  server.answer("list_connections", pageOf([connection]));
  await user.click(dialog.getByRole("button", { name: /replace/i }));
  await screen.findByRole("option", { name: "Old shop" });
  expect(screen.queryByText("The service answered 401.")).toBeNull();
  expect(server.sent("replace_credentials")).toMatchObject([{ connection_id: BROKEN.connection_id }]);
});

test("a broken OAuth connection offers to sign in again, and shows why that fails", async () => {
  const signsIn = { ...BROKEN, signs_in: true };
  const { user, server } = renderPicker({
    connections: [signsIn],
    chosen: BROKEN.connection_id,
    prepare: (fake) => fake.refuse("start_authorization", { code: "FORBIDDEN", message: "The app was disabled." }),
  });
  await user.click(await screen.findByRole("button", { name: /Sign in again/ }));
  await screen.findByText("The app was disabled.");
  expect(server.sent("start_authorization")).toMatchObject([{ connection_id: BROKEN.connection_id }]);
});

test("a connection that was deleted or belongs to another service is an error of the field", async () => {
  renderPicker({ connections: [SHOP], chosen: idOf(99) });
  await screen.findByRole("option", { name: idOf(99) });
  await screen.findByText(/doesn't exist/);
  expect(describedBy(picker())).toMatch(/doesn't exist/);
  expect(picker().getAttribute("aria-invalid")).toBe("true");
});

test("a connection on a later page is not reported as missing", async () => {
  renderPicker({
    chosen: OUTLET.connection_id,
    prepare: (server) => server.answer("list_connections", pageOf([SHOP], "next")),
  });
  await screen.findByRole("option", { name: "Main shop" });
  expect(screen.queryByText(/doesn't exist/)).toBeNull();
});

test("a viewer sees the chosen connection but can't change it or create one", async () => {
  renderPicker({ connections: [SHOP, BROKEN], chosen: BROKEN.connection_id, role: "viewer", isReadOnly: true });
  await screen.findByText("The service answered 401.");
  expect(picker()).toHaveProperty("disabled", true);
  expect(screen.queryByRole("button", { name: /New connection|Replace|Sign in/ })).toBeNull();
});

test("when the server refuses to create a connection, its dialog stays open and the step keeps its value", async () => {
  const { user, server, dataOf } = renderPicker({ connections: [OUTLET], chosen: OUTLET.connection_id });
  server.refuse("create_connection", { code: "CONNECTION_NAME_TAKEN", message: "There is a connection of this name." });
  await user.click(await screen.findByRole("button", { name: /New connection/ }));
  const dialog = within(await screen.findByRole("dialog", { name: /connection/ }));
  await user.type(await dialog.findByLabelText("Token"), "s3cret");
  await user.click(dialog.getByRole("button", { name: /save/ }));
  await dialog.findByText(/connection of this name/);
  expect(dataOf()).toMatchObject({ connection_id: OUTLET.connection_id });
});

/** An HTTP request through a connection that the server found to refuse the request's host. */
function renderRefused(role: "editor" | "admin") {
  const http = sampleConnection({ connector: "http", name: "CRM", origins: ["https://crm.test"] });
  const data = {
    name: "Step",
    connector: "http",
    operation: "request",
    connection_id: http.connection_id,
    params: { url: "http://127.0.0.1:4231/orders" },
  };
  const problem = {
    severity: "error",
    code: "HOST_NOT_ALLOWED",
    node_id: "step",
    field: "connection_id",
    origin: "http://127.0.0.1:4231",
    message: 'Step: the connection "CRM" does not allow http://127.0.0.1:4231, so every call would fail',
  } as const;
  const page = renderForm("connector", data, {
    isFresh: false,
    session: { role },
    prepare: (server) => {
      server.answer("list_connection_kinds", { data: [sampleConnectorKind({ connector: "http", name: "HTTP API" })] });
      server.answer("list_connections", pageOf([http]));
      server.answer("allow_connection_host", http);
    },
  });
  act(() => page.session.draft.setState(({ facts }) => ({ facts: { ...facts, problems: [problem] } })));
  return { ...page, http };
}

test("an admin allows the host that the connection refuses with one press, and the problem disappears", async () => {
  const { user, server, session, http } = renderRefused("admin");
  expect(describedBy(picker())).toContain('The connection "CRM" does not allow http://127.0.0.1:4231');
  const { definition } = session.editor.getState();
  server.answer("get_workflow", { ...session.draft.getState().facts, definition, problems: [] } as never);
  await user.click(screen.getByRole("button", { name: "Allow http://127.0.0.1:4231" }));
  await eventually(() => expect(screen.queryByRole("button", { name: /^Allow/ })).toBeNull());
  expect(server.sent("allow_connection_host")).toEqual([
    { connection_id: http.connection_id, origin: "http://127.0.0.1:4231" },
  ]);
});

test("an editor sees who can allow the host", () => {
  renderRefused("editor");
  screen.getByText("An admin of this workspace can allow http://127.0.0.1:4231.");
  expect(screen.queryByRole("button", { name: /^Allow/ })).toBeNull();
});

test("a connection that is made from a request has its host and a name from it", async () => {
  const { user } = renderRefused("editor");
  await user.click(await screen.findByRole("button", { name: /New connection/ }));
  const dialog = within(await screen.findByRole("dialog", { name: /connection/ }));
  expect(await dialog.findByLabelText("Name")).toHaveProperty("value", "127.0.0.1:4231");
});
