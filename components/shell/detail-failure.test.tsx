import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useOperation } from "@/components/api/operation-hooks";
import { DetailFailure } from "@/components/shell/detail-failure";
import { sampleAction } from "@/components/testing/action.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function ActionPage() {
  const query = useOperation("get_action", { slug: "refund" });
  if (query.isPending) return null;
  if (query.data !== undefined) return <h1>{query.data.name}</h1>;
  return (
    <DetailFailure query={query} noun="action" title="refund" list={{ label: "Actions", href: "/actions" }}>
      Its slug may have changed.
    </DetailFailure>
  );
}

const renderFailure = (prepare: (server: FakeServer) => void) => renderPage(<ActionPage />, { prepare });

test("something that does not exist leads to the list instead of offering another try", async () => {
  renderFailure((server) => server.refuse("get_action", { code: "ACTION_NOT_FOUND", message: "No such action." }));
  await screen.findByRole("heading", { level: 1, name: /not found/i });
  screen.getByText("Its slug may have changed.");
  expect(screen.getByRole("link", { name: /all actions/i }).getAttribute("href")).toBe("/actions");
  expect(screen.queryByRole("button", { name: /try again/i })).toBeNull();
  await expectAccessible();
});

test("an id that cannot exist reads as one that does not exist", async () => {
  renderFailure((server) => server.refuse("get_action", { code: "BAD_REQUEST", message: "slug: is too long" }));
  await screen.findByRole("heading", { level: 1, name: /not found/i });
  expect(screen.queryByText(/too long/)).toBeNull();
});

test("something that could not be loaded keeps its title and can be asked for again", async () => {
  const { user, server } = renderFailure((fake) =>
    fake.refuse("get_action", { code: "INTERNAL_ERROR", message: "It did not work." }),
  );
  await screen.findByRole("heading", { level: 1, name: "refund" });
  screen.getByText("It did not work.");
  screen.getByText("req-test");
  server.answer("get_action", sampleAction());
  await user.click(screen.getByRole("button", { name: /try again/i }));
  await screen.findByRole("heading", { level: 1, name: "Refunds" });
});

test("another try that is on its way cannot be asked for twice", async () => {
  const { user, server } = renderFailure((fake) =>
    fake.refuse("get_action", { code: "INTERNAL_ERROR", message: "It did not work." }),
  );
  const retry = await screen.findByRole<HTMLButtonElement>("button", { name: /try again/i });
  const release = server.hold("get_action");
  await user.click(retry);
  await user.click(retry);
  server.answer("get_action", sampleAction());
  release();
  await screen.findByRole("heading", { level: 1, name: "Refunds" });
  expect(server.sent("get_action")).toHaveLength(2);
});
