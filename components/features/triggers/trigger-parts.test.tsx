import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { DELIVERY_VERDICTS, type DeliveryObject } from "#lib/contract/trigger/trigger";
import { eventually } from "#lib/support/eventually.fixture";
import { LiveTrigger } from "@/components/features/triggers/live-trigger";
import { NextFiresPreview } from "@/components/features/triggers/next-fires-preview";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";
import { sampleListening, sampleTrigger, triggerDelivery } from "@/components/testing/trigger.fixture";

/** How often the page polls for new deliveries. */
const REFRESH_MS = 3_000;

function renderTrigger(trigger = sampleTrigger(), deliveries: DeliveryObject[] = []) {
  return renderPage(<LiveTrigger workflowId={idOf(41)} />, {
    session: { role: "editor" },
    prepare: (server) => {
      server.answer("get_trigger", { trigger });
      server.answer("list_deliveries", pageOf(deliveries));
    },
  });
}

const events = async () => within(await screen.findByRole("region", { name: /recent events/i }));

test("each result has its own text, and only a started run is a link", async () => {
  const deliveries = DELIVERY_VERDICTS.map((verdict, index) =>
    triggerDelivery({ delivery_id: idOf(index + 1), verdict, run_id: verdict === "accepted" ? idOf(44) : null }),
  );
  renderTrigger(sampleTrigger(), deliveries);
  const rows = await (await events()).findAllByRole("listitem");
  const words = rows.map((row) => row.querySelector("p")?.firstElementChild?.textContent);
  expect(new Set(words).size).toBe(DELIVERY_VERDICTS.length);
  const links = (await events()).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([`/runs/${idOf(44)}`]);
});

test("an event that arrives while the page is open appears without a reload", async () => {
  const skip = holdTime();
  const { server } = renderTrigger();
  await (await events()).findByText(/^No events yet/);
  server.answer("list_deliveries", pageOf([triggerDelivery({ bytes: 2_048 })]));
  await skip(REFRESH_MS);
  const row = within(await (await events()).findByRole("listitem"));
  row.getByText(/^2(\.0)? k/i);
});

test("a delivery that could not be sent again shows the reason", async () => {
  const { user, server } = renderTrigger(sampleTrigger(), [triggerDelivery()]);
  server.refuse("redeliver_event", { code: "BAD_REQUEST", message: "Its payload is no longer kept." });
  await user.click(await screen.findByRole("button", { name: /again/i }));
  await (await events()).findByText("Its payload is no longer kept.");
  expect(server.sent("redeliver_event")).toEqual([{ delivery_id: idOf(43) }]);
});

test("a schedule that is fired now links to its run", async () => {
  const { user, server, router } = renderTrigger(sampleTrigger({ kind: "schedule", url: null }));
  server.answer("run_workflow", { ...RUN, run_id: idOf(7) });
  await user.click(await screen.findByRole("button", { name: /now/i }));
  await user.click(await screen.findByRole("button", { name: /view run/i }));
  expect(router.push).toHaveBeenCalledExactlyOnceWith(`/runs/${idOf(7)}`);
});

test("a paused schedule has no next time, and shows its missed fires", async () => {
  renderTrigger(sampleTrigger({ kind: "schedule", url: null, status: "paused", missed: 3, last_at: null }));
  const live = await screen.findByRole("region", { name: "Live" });
  const factOf = (label: RegExp) => within(live).getByText(label).nextElementSibling?.textContent;
  expect(factOf(/^Next/)).toMatch(/paused/i);
  expect(factOf(/^Missed/)).toBe("3");
  expect(within(live).queryByRole("time")).toBeNull();
});

test("a refused trigger change shows the reason and changes nothing", async () => {
  const { user, server } = renderTrigger();
  server.refuse("set_trigger_status", { code: "FORBIDDEN", message: "You need the editor role." });
  await user.click(await screen.findByRole("button", { name: /^Pause/ }));
  await screen.findByText("You need the editor role.");
  screen.getByRole("button", { name: /^Pause/ });
});

test("only a webhook has a URL, and only a schedule can be fired", async () => {
  const { unmount } = renderTrigger();
  await screen.findByRole("button", { name: /copy/i });
  expect(screen.queryByRole("button", { name: /now/i })).toBeNull();
  unmount();
  renderTrigger(sampleTrigger({ kind: "schedule", url: null }));
  await screen.findByRole("button", { name: /now/i });
  expect(screen.queryByRole("button", { name: /copy/i })).toBeNull();
});

test.each(["pending", "active", "off"] as const)("service events that are %s show no retry", async (status) => {
  renderTrigger(sampleTrigger({ kind: "connector", url: null, listening: sampleListening({ status }) }));
  await events();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("button", { name: /again|retry/i })).toBeNull();
});

const momentsOf = () => screen.getAllByRole("listitem").map((row) => row.querySelector("time")?.dateTime ?? "");

test("an interval fires at equal distances from now", () => {
  const now = Date.now();
  renderPage(<NextFiresPreview schedule={{ mode: "interval", seconds: 90 }} zone="UTC" />);
  const moments = momentsOf().map((moment) => Date.parse(moment));
  expect(moments).toHaveLength(5);
  expect(new Set(moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0)))).toEqual(new Set([90_000]));
  expect(moments[0]).toBeGreaterThan(now);
  expect(screen.getByRole("status").textContent).toContain("90");
});

test("a schedule keeps its time of day across daylight saving changes", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-27T12:00:00Z") });
  renderPage(
    <NextFiresPreview
      schedule={{ mode: "cron", expression: "0 9 * * *", timezone: "Europe/Zurich" }}
      zone="Europe/Zurich"
    />,
  );
  expect(momentsOf().slice(0, 3)).toEqual([
    "2026-03-28T08:00:00.000Z",
    "2026-03-29T07:00:00.000Z",
    "2026-03-30T07:00:00.000Z",
  ]);
});

test("a time is also shown in the viewer's own time zone if it differs", () => {
  renderPage(
    <NextFiresPreview schedule={{ mode: "cron", expression: "0 9 * * *", timezone: "Asia/Tokyo" }} zone="Asia/Tokyo" />,
  );
  const [first] = screen.getAllByRole("listitem");
  expect(first?.textContent).toMatch(/^\w{3}, .* 9:00 AM GMT\+9\w{3}, .* 12:00 AM UTC$/);
});

test("the preview moves forward while the page is open", async () => {
  const skip = holdTime();
  renderPage(<NextFiresPreview schedule={{ mode: "cron", expression: "* * * * *", timezone: "UTC" }} zone="UTC" />);
  const [first, second] = momentsOf();
  await skip(60_000);
  await eventually(() => expect(momentsOf()[0]).not.toBe(first));
  expect(momentsOf()[0]).toBe(second);
});
