import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CircuitObject, ConnectionObject } from "#lib/contract/connection/connection";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { ConnectionList } from "@/components/features/connections/connection-list";
import { openCircuit, sampleConnection, sampleConnectorKind } from "@/components/testing/connection.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

interface Options {
  role?: Role;
  address?: string;
  circuits?: CircuitObject[];
}

function renderConnections(connections: ConnectionObject[], options: Options = {}) {
  return renderPage(<ConnectionList />, {
    address: options.address ?? "/connections",
    session: { role: options.role ?? "editor" },
    prepare: (server) => {
      server.answer("list_connections", pageOf(connections));
      server.answer("list_connection_kinds", { data: [sampleConnectorKind()] });
      server.answer("list_circuits", { data: options.circuits ?? [] });
    },
  });
}

const USES = ["Refunds", "Orders", "Returns"].map((name, at) => ({
  workflow_id: idOf(10 + at),
  name,
  draft: true,
  deployed: at > 0,
}));

test("a row shows the connector, the end of the secret, the last use and the workflows that use it", async () => {
  renderConnections([
    sampleConnection({ secret_hints: { token: "…9f3a" }, last_used_at: secondsAgo(300), used_by: USES }),
  ]);
  const table = within(await screen.findByRole("table", { name: "Connections" }));
  await eventually(() => table.getByText("HTTP"));
  table.getByText("Connected");
  table.getByText("…9f3a");
  table.getByText("5 min. ago");
  expect(table.getByRole("link", { name: "Refunds" }).getAttribute("href")).toBe(`/workflows/${idOf(10)}`);
  expect(table.getByRole("link", { name: "Orders" }).closest("td")?.textContent).toBe("Refunds, Orders and 1 more");
  await expectAccessible();
});

test("a connection that failed on its last call shows the service's error", async () => {
  renderConnections([sampleConnection({ status: "failed", last_error: "401 Unauthorized" })]);
  await screen.findByText("401 Unauthorized");
  screen.getByText("Failed");
});

test("an expired OAuth connection can be signed in again from its row", async () => {
  const { user, server } = renderConnections([sampleConnection({ signs_in: true, status: "expired" })]);
  server.refuse("start_authorization", {
    code: "FORBIDDEN",
    message: "You need the editor role to connect a service.",
  });
  await user.click(await screen.findByRole("button", { name: "Reconnect" }));
  await screen.findByText("You need the editor role to connect a service.");
  expect(server.sent("start_authorization")).toEqual([{ connection_id: idOf(1), return_to: "/connections" }]);
});

test("a paused connection is shown above the table, with its last failure", async () => {
  const circuit = openCircuit({ connection_id: idOf(1), origin: null, last_error: "503 from the shop" });
  renderConnections([sampleConnection()], { circuits: [circuit] });
  await screen.findByText(/^Calls to HTTP are paused until \d?\d:\d\d:\d\d [AP]M$/);
  screen.getByText("Last failure: 503 from the shop");
  screen.getByText("Paused");
});

test("a paused host is named, and does not pause connections", async () => {
  renderConnections([sampleConnection()], { circuits: [openCircuit()] });
  await screen.findByText(/^Calls to shop\.example\.com are paused until/);
  expect(screen.queryByText("Paused")).toBeNull();
});

test("a paused connector that is due for a retry says that the next call tries it", async () => {
  renderConnections([sampleConnection()], { circuits: [openCircuit({ origin: null, retry_at: secondsAgo(5) })] });
  await screen.findByText("Calls to HTTP are paused; the next call tests whether the service works again");
});

test("a failing event source can be retried at once, and a refusal is shown below it", async () => {
  const listener = {
    mode: "webhook" as const,
    status: "failed" as const,
    error: "the service refused",
    failing_since: secondsAgo(600),
    retry_at: secondsAgo(-600),
    events: ["order_created"],
  };
  const { user, server } = renderConnections([sampleConnection({ listeners: [listener] })]);
  server.refuse("retry_listeners", { code: "FORBIDDEN", message: "You need the editor role." });
  await screen.findByText("Can't listen for order created: the service refused");
  await user.click(screen.getByRole("button", { name: "Try now" }));
  expect((await screen.findByRole("alert")).textContent).toBe("You need the editor role.");
  expect(server.sent("retry_listeners")).toEqual([{ connection_id: idOf(1) }]);
});

test("a viewer sees the list without buttons, and N opens nothing", async () => {
  const { user } = renderConnections([sampleConnection({ status: "failed", signs_in: true })], { role: "viewer" });
  await screen.findByText("Shop");
  expect(screen.queryByRole("button", { name: "New connection" })).toBeNull();
  expect(screen.queryByRole("button", { name: "More for Shop" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Reconnect" })).toBeNull();
  await user.keyboard("n");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("an empty list offers a first connection, and the dialog is kept in the URL", async () => {
  const { user } = renderConnections([]);
  await screen.findByText("No connections yet");
  await user.click(screen.getByRole("button", { name: "New connection" }));
  await screen.findByRole("dialog", { name: "New connection" });
  expect(window.location.search).toBe("?new=true");
});

test("the result of a sign-in is shown once and leaves the URL when it is closed", async () => {
  const { user } = renderConnections([], { address: "/connections?sign_in_failed=access_denied" });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Access was denied at the service.");
  await user.click(within(alert).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(window.location.search).toBe("");
});

test("the menu offers to replace credentials, or to sign in again for an OAuth connection", async () => {
  const { user } = renderConnections([
    sampleConnection(),
    sampleConnection({ connection_id: idOf(2), name: "Mail", signs_in: true }),
  ]);
  await user.click(await screen.findByRole("button", { name: "More for Shop" }));
  await screen.findByRole("menuitem", { name: "Replace credentials…" });
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "More for Mail" }));
  await screen.findByRole("menuitem", { name: "Sign in again" });
  expect(screen.queryByRole("menuitem", { name: "Replace credentials…" })).toBeNull();
});
