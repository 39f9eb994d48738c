import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { ConnectionToolsDialog } from "@/components/features/connections/connection-tools-dialog";
import { sampleConnection } from "@/components/testing/connection.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

type Tools = WebOperations["get_connection_tools"]["output"];

const SERVER: Tools = {
  connection_id: idOf(1),
  server: { name: "Fixture", version: "1.0", protocol: "2026-07-28" },
  tools: [
    {
      name: "weather",
      title: "Weather",
      description: "The weather of a city",
      params_schema: {},
      output_schema: null,
      repeatable: true,
    },
  ],
  left_out: [{ name: "huge", reason: "its schema is larger than 64 KiB" }],
  read_at: "2026-01-01T00:00:00.000Z",
  stale: false,
  last_error: null,
};

const dialog = <ConnectionToolsDialog subject={sampleConnection({ connector: "mcp" })} onClose={vi.fn()} />;

test("the dialog names the server, its tools with their descriptions, and what was left out and why", async () => {
  const { server, container } = renderPage(dialog, { prepare: (fake) => fake.answer("get_connection_tools", SERVER) });
  const tools = within(await screen.findByRole("list", { name: "Tools" }));
  expect(tools.getAllByRole("listitem")).toHaveLength(1);
  tools.getByText("The weather of a city");
  screen.getByText(/Fixture 1.0, MCP 2026-07-28: 1 tool/);
  screen.getByText(/huge: its schema is larger/);
  expect(server.sent("refresh_connection_tools")).toEqual([]);
  await expectAccessible(container);
});

test("a list that may be outdated is read again by itself, and a failure keeps the old one", async () => {
  const { server } = renderPage(dialog, {
    prepare: (fake) => {
      fake.answer("get_connection_tools", { ...SERVER, stale: true });
      fake.refuse("refresh_connection_tools", { code: "CONNECTION_TEST_FAILED", message: "No answer." });
    },
  });
  expect((await screen.findByRole("alert")).textContent).toBe("No answer.");
  screen.getByText("The weather of a city");
  expect(server.sent("refresh_connection_tools")).toEqual([{ connection_id: idOf(1) }]);
});
