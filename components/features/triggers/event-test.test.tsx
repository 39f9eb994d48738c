import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EventTestObject } from "#lib/contract/trigger/trigger";
import { eventually } from "#lib/support/eventually.fixture";
import { EventTest } from "@/components/features/triggers/event-test";
import { NextFiresPreview } from "@/components/features/triggers/next-fires-preview";
import { holdTime } from "@/components/testing/hold-time.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { eventTest } from "@/components/testing/trigger.fixture";

/** How often the panel polls for the event. */
const POLL_MS = 1_000;
const RECEIVED = { received_at: secondsAgo(1), output: { body: { order: "A-1" } } };

function renderEventTest(current: EventTestObject | null, isSaved = true) {
  const onEvent = vi.fn();
  const onStart = vi.fn(() => Promise.resolve(isSaved));
  const page = renderPage(<EventTest workflowId={idOf(41)} scheme={null} onStart={onStart} onEvent={onEvent} />, {
    prepare: (server) => server.answer("get_event_test", { test: current }),
  });
  return { ...page, onEvent, onStart };
}

const listen = () => screen.findByRole("button", { name: "Listen for a test event" });

test("listening saves the draft first, and shows the test URL and the time left", async () => {
  const { user, server, onStart } = renderEventTest(null);
  server.answer("start_event_test", eventTest({ remaining_ms: 120_000 }));
  await user.click(await listen());
  await screen.findByText("https://signalbox.example/hooks/test/abc");
  screen.getByText("Waiting for an event");
  expect(screen.getByRole("timer", { name: "Time left" }).textContent).toMatch(/^(2:00|1:5\d)$/);
  expect(onStart).toHaveBeenCalledTimes(1);
  await expectAccessible();
});

test("a draft that can't be saved is not listened for", async () => {
  const { user, server } = renderEventTest(null, false);
  await user.click(await listen());
  expect((await screen.findByRole("alert")).textContent).toContain("The draft couldn't be saved");
  expect(server.sent("start_event_test")).toEqual([]);
});

test("an event that arrives ends listening and is passed on once", async () => {
  const skip = holdTime();
  const { server, onEvent } = renderEventTest(eventTest({ remaining_ms: 120_000 }));
  await screen.findByText("Waiting for an event");
  server.answer("get_event_test", { test: eventTest(RECEIVED) });
  await skip(POLL_MS);
  await screen.findByRole("button", { name: "Listen for another" });
  screen.getByText(/^Received/);
  expect(onEvent.mock.calls).toEqual([[RECEIVED.output, RECEIVED.received_at]]);
});

test("an event that arrived before the panel opened is shown but not passed on", async () => {
  const { onEvent } = renderEventTest(eventTest(RECEIVED));
  await screen.findByText(/^Received/);
  expect(onEvent).not.toHaveBeenCalled();
});

test("a refused delivery is shown while listening continues", async () => {
  renderEventTest(eventTest({ remaining_ms: 120_000, problem: "The signature is wrong." }));
  expect((await screen.findByRole("alert")).textContent).toContain("The signature is wrong.");
  screen.getByText("Waiting for an event");
});

test("listening can be canceled", async () => {
  const { user, server } = renderEventTest(eventTest({ remaining_ms: 120_000 }));
  server.answer("stop_event_test", { test: eventTest() });
  const cancel = await screen.findByRole("button", { name: "Cancel" });
  server.answer("get_event_test", { test: eventTest() });
  await user.click(cancel);
  await listen();
  expect(server.sent("stop_event_test")).toEqual([{ workflow_id: idOf(41) }]);
});

test("a schedule is described in words and shows its next five times in order", async () => {
  renderPage(
    <NextFiresPreview
      schedule={{ mode: "cron", expression: "30 9 * * 1", timezone: "Asia/Tokyo" }}
      zone="Asia/Tokyo"
    />,
  );
  expect(screen.getByRole("status").textContent).toMatch(/09:30.*Monday/);
  const rows = screen.getAllByRole("listitem");
  const moments = rows.map((row) => row.querySelector("time")?.dateTime ?? "");
  expect(moments).toHaveLength(5);
  expect(moments).toEqual(moments.toSorted());
  // 09:30 in Tokyo is 00:30 UTC.
  for (const moment of moments) expect(moment).toMatch(/T00:30:00\.000Z$/);
  expect(rows[0]?.textContent).toMatch(/^Mon, .* 9:30 AM GMT\+9Mon, .* 12:30 AM UTC$/);
  await eventually(() => expectAccessible());
});

test("an invalid expression and an unknown time zone are explained instead of a preview", () => {
  const { rerender } = renderPage(
    <NextFiresPreview schedule={{ mode: "cron", expression: "61 * * * *", timezone: "UTC" }} zone="UTC" />,
  );
  expect(screen.getByRole("status").textContent).toMatch(/^The expression /);
  expect(screen.queryByRole("listitem")).toBeNull();
  rerender(<NextFiresPreview schedule={{ mode: "cron", expression: "0 9 * * *", timezone: "Mars/Base" }} zone="UTC" />);
  expect(screen.getByRole("status").textContent).toContain("Unknown time zone.");
});
