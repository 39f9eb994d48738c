import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { KeyUsageObject } from "#lib/contract/key/key-usage";
import { KeyUsageDialog } from "@/components/features/keys/key-usage-dialog";
import { keyUsage, sampleKey } from "@/components/testing/key.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderUsage(usage: KeyUsageObject) {
  return renderPage(<KeyUsageDialog subject={sampleKey()} onClose={vi.fn()} />, {
    prepare: (server) => server.answer("get_key_usage", usage),
  });
}

test("the usage of a key shows its rate limit window, calls, refusals and the runs of each action", async () => {
  renderUsage(
    keyUsage({
      window: { limit: 60, used: 12 },
      operations: [{ operation: "run_action", requests: 1_200, refused: 3 }],
      refusals: [
        { status: 403, operation: "create_workflow", requests: 1, last_at: secondsAgo(120) },
        { status: 429, operation: "", requests: 2_000, last_at: secondsAgo(7_200) },
      ],
      actions: [{ slug: "refund", runs: 7 }],
    }),
  );
  await screen.findByText(/^12 of 60 requests\./);
  expect(screen.getByRole("meter", { name: "Requests in the rate limit window" }).getAttribute("aria-valuenow")).toBe(
    "12",
  );
  const calls = within(screen.getByRole("table", { name: "Calls by operation" }));
  expect(calls.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["run_action", "1,200", "3"]);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "403 Missing scopecreate_workflow · 1 time, last 2 min. ago",
    "429 Too many requests · 2,000 times, last 2 hr. ago",
    "refund 7",
  ]);
  expect(screen.getByRole("link", { name: "refund" }).getAttribute("href")).toBe(`/runs?key=${idOf(1)}&action=refund`);
  await expectAccessible();
});

test("a key that was never used says so, and still links to its runs", async () => {
  renderUsage(keyUsage({ window: { limit: 0, used: 0 } }));
  await screen.findByText("0 requests, no limit.", { exact: false });
  screen.getByText("No calls.");
  screen.getByText(/No 401, 403 or 429/);
  expect(screen.queryByLabelText("Requests in the rate limit window")).toBeNull();
  expect(screen.getByRole("link", { name: "Runs made with this key" }).getAttribute("href")).toBe(
    `/runs?key=${idOf(1)}`,
  );
});

test("usage that fails to load can be retried", async () => {
  const { user, server } = renderPage(<KeyUsageDialog subject={sampleKey()} onClose={vi.fn()} />, {
    prepare: (fake) => fake.refuse("get_key_usage", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  await screen.findByText("Couldn't load the usage of this key.");
  server.answer("get_key_usage", keyUsage());
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No calls.");
});
