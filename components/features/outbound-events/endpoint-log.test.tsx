import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EventDeliveryObject } from "#lib/contract/event/outbound-event";
import type { Page } from "#lib/contract/wire/page";
import { eventually } from "#lib/support/eventually.fixture";
import { EndpointLog } from "@/components/features/outbound-events/endpoint-log";
import { eventDelivery, sampleEndpoint } from "@/components/testing/outbound-event.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderLog(page: Page<EventDeliveryObject>) {
  return renderPage(<EndpointLog endpoint={sampleEndpoint()} onClose={vi.fn()} />, {
    prepare: (server) => server.answer("list_event_deliveries", page),
  });
}

const REFUSED = { at: secondsAgo(90), status: 500, latency_ms: 80, error: "The endpoint answered 500." };

test("a delivery shows its event, its result, and the response and latency of its attempt", async () => {
  renderLog(pageOf([eventDelivery()]));
  await screen.findByText("run.failed");
  screen.getByText("Delivered");
  screen.getByText(/^Responded with 204\./);
  screen.getByText(/120 ms/);
  await expectAccessible();
});

test("a retried delivery shows every failed attempt and the time of the next one", async () => {
  renderLog(
    pageOf([
      eventDelivery({
        status: "pending",
        attempts: [REFUSED, { at: secondsAgo(80), status: null, latency_ms: 15_000, error: "It did not answer." }],
        next_attempt_at: secondsAgo(-300),
      }),
    ]),
  );
  await screen.findByText("Retrying");
  screen.getByText(/The endpoint answered 500\./);
  screen.getByText(/It did not answer\./);
  screen.getByText(/^Next retry/);
});

test("a delivery without an attempt is waiting, and one without further attempts has failed", async () => {
  renderLog(
    pageOf([
      eventDelivery({ status: "pending", attempts: [], next_attempt_at: secondsAgo(-1) }),
      eventDelivery({ delivery_id: idOf(8), status: "failed", attempts: [REFUSED] }),
    ]),
  );
  await screen.findByText("Waiting");
  screen.getByText("Failed");
  expect(screen.queryByText(/^Next retry/)).toBeNull();
});

test("the delivery of a run's event links to the run", async () => {
  renderLog(pageOf([eventDelivery({ run_id: idOf(3) })]));
  expect((await screen.findByRole("link", { name: "Run" })).getAttribute("href")).toBe(`/runs/${idOf(3)}`);
});

test("any delivery can be sent again, and the log shows the result", async () => {
  const { user, server } = renderLog(pageOf([eventDelivery({ status: "failed", attempts: [REFUSED] })]));
  const again = eventDelivery({ status: "pending", attempts: [] });
  server.answer("resend_event", again);
  const button = await screen.findByRole("button", { name: "Send again" });
  server.answer("list_event_deliveries", pageOf([again]));
  await user.click(button);
  await screen.findByText("Waiting");
  expect(server.sent("resend_event")).toEqual([{ delivery_id: idOf(5) }]);
});

test("a refused resend shows the reason", async () => {
  const { user, server } = renderLog(pageOf([eventDelivery()]));
  server.refuse("resend_event", { code: "BAD_REQUEST", message: "The endpoint is switched off." });
  await user.click(await screen.findByRole("button", { name: "Send again" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The endpoint is switched off.");
});

test("older deliveries are on the next page", async () => {
  const { user, server } = renderLog(pageOf([eventDelivery()], "older"));
  server.answer("list_event_deliveries", (input) =>
    input.cursor === "older" ? pageOf([eventDelivery({ type: "alert.fired" })]) : pageOf([eventDelivery()], "older"),
  );
  await screen.findByText("run.failed");
  await user.click(screen.getByRole("button", { name: /next|older/i }));
  await screen.findByText("alert.fired");
  await eventually(() => expect(screen.queryByText("run.failed")).toBeNull());
  expect(server.sent("list_event_deliveries").at(-1)).toEqual({ endpoint_id: idOf(1), cursor: "older" });
});

test("a log without deliveries says how long deliveries are kept", async () => {
  renderLog(pageOf<EventDeliveryObject>([]));
  expect((await screen.findByText(/^No deliveries yet/)).textContent).toMatch(/\d+ days/);
  expect(within(screen.getByRole("dialog")).queryByRole("listitem")).toBeNull();
});
