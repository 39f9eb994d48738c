import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { DeliveryObject, TriggerObject } from "#lib/contract/trigger/trigger";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { LiveTrigger } from "@/components/features/triggers/live-trigger";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";
import { sampleListening, sampleTrigger, triggerDelivery } from "@/components/testing/trigger.fixture";

function renderTrigger(trigger: TriggerObject | null, options: { deliveries?: DeliveryObject[]; role?: Role } = {}) {
  return renderPage(<LiveTrigger workflowId={idOf(41)} />, {
    session: { role: options.role ?? "editor" },
    prepare: (server) => {
      server.answer("get_trigger", { trigger });
      server.answer("list_deliveries", pageOf(options.deliveries ?? []));
    },
  });
}

const SCHEDULE = sampleTrigger({ kind: "schedule", url: null, next_at: secondsAgo(-3_600), missed: 2 });

test("a webhook shows its URL with a button that copies it", async () => {
  renderTrigger(sampleTrigger());
  await screen.findByText("https://signalbox.example/hooks/abc");
  screen.getByRole("button", { name: "Copy URL" });
  screen.getByText("Activated");
  await expectAccessible();
});

test("a sample delivery to an unsigned webhook carries no signature", async () => {
  const { user } = renderTrigger(sampleTrigger());
  const button = await screen.findByRole("button", { name: "Show sample request" });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await user.click(button);
  const sample = screen.getByRole("figure", { name: "Sample request" });
  expect(sample.textContent).toContain('curl -sS -X POST "https://signalbox.example/hooks/abc"');
  expect(screen.queryByText("WEBHOOK_SECRET")).toBeNull();
});

test("a sample delivery to a signed webhook is signed in every language with the secret from the environment", async () => {
  const { user } = renderTrigger(sampleTrigger({ scheme: "github" }));
  await user.click(await screen.findByRole("button", { name: "Show sample request" }));
  const sample = screen.getByRole("figure", { name: "Sample request" });
  for (const language of ["curl", "Node.js", "Python"]) {
    await user.click(within(sample).getByRole("button", { name: language }));
    expect(sample.textContent?.toLowerCase()).toContain("x-hub-signature-256");
    expect(sample.textContent).toContain("WEBHOOK_SECRET");
  }
});

test("a sample is sent as it was written, and its answer links to the run", async () => {
  const { user, server } = renderTrigger(sampleTrigger({ scheme: "github" }));
  server.answer("send_sample_event", { url: "", status: 202, answer: "{}", run_id: idOf(7), error: null });
  await user.click(await screen.findByRole("button", { name: "Send a sample" }));
  const form = within(screen.getByRole("region", { name: "Send a sample" }));
  const body = form.getByRole("textbox", { name: "Body" });
  await user.clear(body);
  await user.type(body, "{{oops");
  form.getByText(/isn't valid JSON/);
  await user.clear(body);
  await user.type(body, "[[7]");
  await expectAccessible();
  await user.click(form.getByRole("button", { name: "Send" }));
  const link = await form.findByRole("link", { name: "View run" });
  expect(link.getAttribute("href")).toBe(`/runs/${idOf(7)}`);
  expect(server.sent("send_sample_event")).toEqual([{ workflow_id: idOf(41), body: "[7]" }]);
});

test("a sample that was refused, or found no server, shows why", async () => {
  const { user, server } = renderTrigger(sampleTrigger());
  const refused = { url: "", run_id: null };
  server.answer("send_sample_event", { ...refused, status: 401, answer: '{"code":"INVALID_SIGNATURE"}', error: null });
  await user.click(await screen.findByRole("button", { name: "Send a sample" }));
  const send = screen.getByRole("button", { name: "Send" });
  await user.click(send);
  await screen.findByText("Responded with 401.");
  screen.getByText(/INVALID_SIGNATURE/);
  server.answer("send_sample_event", { ...refused, status: null, answer: null, error: "Nothing listens there." });
  await user.click(send);
  await screen.findByText("Nothing listens there.");
});

test("a paused webhook and a viewer have no sample to send", async () => {
  renderTrigger(sampleTrigger({ status: "paused" }));
  await screen.findByRole("button", { name: "Show sample request" });
  expect(screen.queryByRole("button", { name: "Send a sample" })).toBeNull();
});

test("a workflow that is not activated shows no live trigger", async () => {
  const { server } = renderTrigger(null);
  await eventually(() => expect(server.sent("get_trigger")).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "Live" })).toBeNull();
});

test("a trigger can be paused and resumed, and shows its new status", async () => {
  const { user, server } = renderTrigger(sampleTrigger());
  const paused = sampleTrigger({ status: "paused" });
  server.answer("set_trigger_status", paused);
  const pause = await screen.findByRole("button", { name: "Pause" });
  server.answer("get_trigger", { trigger: paused });
  await user.click(pause);
  await user.click(await screen.findByRole("button", { name: "Resume" }));
  screen.getByText("Paused");
  expect(server.sent("set_trigger_status").map(({ status }) => status)).toEqual(["paused", "active"]);
});

test("a viewer can't pause or fire a trigger", async () => {
  renderTrigger(SCHEDULE, { role: "viewer", deliveries: [triggerDelivery()] });
  await screen.findByText("Next run");
  await screen.findByText("Accepted");
  for (const name of ["Pause", "Run now", "Deliver again"]) expect(screen.queryByRole("button", { name })).toBeNull();
});

test("a schedule shows its next fire and its missed fires, and can be fired now", async () => {
  const { user, server, router } = renderTrigger(SCHEDULE);
  server.answer("run_workflow", { ...RUN, run_id: idOf(50) });
  const missed = await screen.findByText("Missed");
  expect(missed.nextElementSibling?.textContent).toBe("2");
  await user.click(screen.getByRole("button", { name: "Run now" }));
  await user.click(await screen.findByRole("button", { name: "View run" }));
  expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(50)}`);
});

test("a refused fire shows the reason", async () => {
  const { user, server } = renderTrigger(SCHEDULE);
  server.refuse("run_workflow", { code: "BAD_REQUEST", message: "The plan allows no more runs." });
  await user.click(await screen.findByRole("button", { name: "Run now" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The plan allows no more runs.");
});

test("service events that can't be received show the error and can be retried", async () => {
  const listening = sampleListening({
    status: "failed",
    error: "The service answered 403.",
    retry_at: secondsAgo(-60),
  });
  renderTrigger(sampleTrigger({ kind: "connector", url: null, listening }));
  expect((await screen.findByRole("alert")).textContent).toBe("The service answered 403.");
  screen.getByRole("button", { name: "Try now" });
});

test("a delivery shows its result, its size and the reason for its refusal", async () => {
  renderTrigger(sampleTrigger(), {
    deliveries: [
      triggerDelivery({ bytes: 2_048 }),
      triggerDelivery({ delivery_id: idOf(45), verdict: "invalid_signature", run_id: null, detail: "No signature." }),
    ],
  });
  const accepted = await screen.findByRole("link", { name: "Accepted" });
  expect(accepted.getAttribute("href")).toBe(`/runs/${idOf(44)}`);
  screen.getByText("2 KiB");
  screen.getByText("Wrong signature");
  screen.getByText("No signature.");
});

test("only a delivery that started a run can be delivered again", async () => {
  const { user, server } = renderTrigger(sampleTrigger(), {
    deliveries: [
      triggerDelivery(),
      triggerDelivery({ delivery_id: idOf(45), verdict: "duplicate" }),
      triggerDelivery({ delivery_id: idOf(46), verdict: "bad_request", run_id: null }),
    ],
  });
  server.refuse("redeliver_event", { code: "BAD_REQUEST", message: "The event is no longer stored." });
  await user.click(await screen.findByRole("button", { name: "Deliver again" }));
  await screen.findByText("The event is no longer stored.");
  expect(server.sent("redeliver_event")).toEqual([{ delivery_id: idOf(43) }]);
});
