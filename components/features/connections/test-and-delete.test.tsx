import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { ConnectionTest, ConnectionUse } from "#lib/contract/connection/connection";
import { eventually } from "#lib/support/eventually.fixture";
import { DeleteConnectionDialog } from "@/components/features/connections/delete-connection-dialog";
import { TestConnectionDialog } from "@/components/features/connections/test-connection-dialog";
import { sampleConnection } from "@/components/testing/connection.fixture";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const tested = (test: ConnectionTest) => ({ connection: sampleConnection(), test });

test.each([
  ["ok", "Shop works"],
  ["failed", "Shop doesn't work"],
  ["untested", "Couldn't test Shop"],
] as const)(
  "a test with the outcome %s says so in the title and shows the service's message",
  async (outcome, title) => {
    const { server } = renderPage(<TestConnectionDialog subject={sampleConnection()} onClose={vi.fn()} />, {
      prepare: (fake) => fake.answer("test_connection", tested({ outcome, message: "What the service said." })),
    });
    const dialog = await screen.findByRole("dialog", { name: title });
    expect(within(dialog).getByRole("status").textContent).toBe("What the service said.");
    expect(server.sent("test_connection")).toEqual([{ connection_id: idOf(1) }]);
  },
);

test("a test that could not run can be repeated", async () => {
  const { user, server } = renderPage(<TestConnectionDialog subject={sampleConnection()} onClose={vi.fn()} />, {
    prepare: (fake) => fake.refuse("test_connection", { code: "FORBIDDEN", message: "Wait a minute." }),
  });
  await screen.findByText("Wait a minute.");
  screen.getByRole("dialog", { name: "Couldn't test Shop" });
  server.answer("test_connection", tested({ outcome: "ok", message: "It works." }));
  await user.click(screen.getByRole("button", { name: "Test again" }));
  await screen.findByText("It works.");
});

test("no second test can start while one is in flight", async () => {
  const { user, server } = renderPage(<TestConnectionDialog subject={sampleConnection()} onClose={vi.fn()} />, {
    prepare: (fake) => fake.answer("test_connection", tested({ outcome: "ok", message: "It works." })),
  });
  const release = server.hold("test_connection");
  const again = screen.getByRole<HTMLButtonElement>("button", { name: "Test again" });
  await eventually(() => expect(again.getAttribute("aria-busy")).toBe("true"));
  await user.click(again);
  release();
  await eventually(() => expect(again.getAttribute("aria-busy")).toBeNull());
  expect(server.sent("test_connection")).toHaveLength(1);
});

test("a connection in use cannot be deleted, and the workflows that use it are listed", async () => {
  const uses: ConnectionUse[] = [
    { workflow_id: idOf(5), name: "Refunds", draft: true, deployed: true },
    { workflow_id: idOf(6), name: "Orders", draft: true, deployed: false },
    { workflow_id: idOf(7), name: "Returns", draft: false, deployed: true },
  ];
  renderPage(<DeleteConnectionDialog subject={sampleConnection({ used_by: uses })} onClose={vi.fn()} />);
  const dialog = within(screen.getByRole("dialog", { name: "Shop is in use" }));
  expect(dialog.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "Refunds in the draft and in the published version",
    "Orders in the draft",
    "Returns in the published version",
  ]);
  expect(dialog.getByRole("link", { name: "Orders" }).getAttribute("href")).toBe(`/workflows/${idOf(6)}`);
  expect(screen.queryByRole("button", { name: "Delete connection" })).toBeNull();
  await expectAccessible();
});

test("an unused connection is deleted once, after a confirmation", async () => {
  const onClose = vi.fn();
  const { user, server } = renderPage(<DeleteConnectionDialog subject={sampleConnection()} onClose={onClose} />);
  server.refuse("delete_connection", { code: "CONNECTION_IN_USE", message: "Refunds uses it by now." });
  await user.click(screen.getByRole("button", { name: "Delete connection" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Refunds uses it by now.");
  server.answer("delete_connection", { connection_id: idOf(1), deleted: true });
  await user.click(screen.getByRole("button", { name: "Delete connection" }));
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  await screen.findByText("Shop deleted.");
  expect(server.sent("delete_connection")).toEqual([{ connection_id: idOf(1) }, { connection_id: idOf(1) }]);
});
