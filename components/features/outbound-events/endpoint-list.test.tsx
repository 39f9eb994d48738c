import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EventEndpointObject } from "#lib/contract/event/outbound-event";
import { eventually } from "#lib/support/eventually.fixture";
import { EndpointList } from "@/components/features/outbound-events/endpoint-list";
import { endpointWithSecret, eventDelivery, sampleEndpoint } from "@/components/testing/outbound-event.fixture";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderEndpoints(endpoints: EventEndpointObject[]) {
  return renderPage(<EndpointList endpoints={endpoints} />);
}

const press = (name: string) => screen.getByRole("button", { name });

test("a card shows the name, the URL and the events of an endpoint", async () => {
  renderEndpoints([sampleEndpoint({ events: ["run.failed", "alert.fired"] })]);
  const card = within(screen.getByRole("listitem"));
  card.getByText("Pager");
  card.getByText("https://pager.example/in");
  card.getByText("run.failed, alert.fired");
  card.getByText("On");
  await expectAccessible();
});

test("a failing endpoint shows since when it fails", () => {
  renderEndpoints([sampleEndpoint({ failing_since: secondsAgo(7_200) })]);
  screen.getByText("Failing");
  screen.getByText(/^No deliveries have succeeded since /);
});

test("an automatically disabled endpoint shows the reason and can't be tested", () => {
  renderEndpoints([
    sampleEndpoint({ is_enabled: false, disabled_reason: "Every delivery failed for 5 days.", failing_since: null }),
  ]);
  screen.getByText("Off");
  screen.getByText(/Every delivery failed for 5 days\./);
  expect(press("Send test event").hasAttribute("disabled")).toBe(true);
});

test("the switch of an endpoint disables it and is named after it", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  server.answer("update_event_endpoint", sampleEndpoint({ is_enabled: false }));
  const control = screen.getByRole("switch", { name: "On: Pager" });
  expect(control.getAttribute("aria-checked")).toBe("true");
  await user.click(control);
  await eventually(() =>
    expect(server.sent("update_event_endpoint")).toEqual([{ endpoint_id: idOf(1), is_enabled: false }]),
  );
});

test("the switch of an endpoint without a name is named after its URL", () => {
  renderEndpoints([sampleEndpoint({ name: "" })]);
  screen.getByRole("switch", { name: "On: https://pager.example/in" });
});

test("a test event is sent to the endpoint and its delivery is shown", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  const delivery = eventDelivery({ type: "endpoint.test" });
  server.answer("test_event_endpoint", delivery);
  server.answer("list_event_deliveries", pageOf([delivery]));
  await user.click(press("Send test event"));
  const log = await screen.findByRole("dialog", { name: "Deliveries" });
  await within(log).findByText("endpoint.test");
  expect(server.sent("test_event_endpoint")).toEqual([{ endpoint_id: idOf(1) }]);
});

test("a new endpoint shows its signing secret until the dialog closes", async () => {
  const { user, server } = renderEndpoints([]);
  server.answer("create_event_endpoint", endpointWithSecret());
  await user.click(press("New endpoint"));
  await user.type(await screen.findByRole("textbox", { name: "Address" }), "https://pager.example/in");
  await user.click(press("Create endpoint"));
  const dialog = await screen.findByRole("dialog", { name: "Signing secret" });
  expect(within(dialog).getByTestId("endpoint-secret").textContent).toBe("whsec_c2lnbmFsYm94");
  await eventually(() => expect(document.activeElement).toBe(press("Copy secret")));
  await expectAccessible(dialog);
  await user.click(press("I saved it"));
  expect(screen.queryByTestId("endpoint-secret")).toBeNull();
});

test("a new endpoint receives failed runs unless the user chooses otherwise", async () => {
  const { user } = renderEndpoints([]);
  await user.click(press("New endpoint"));
  await screen.findByRole("dialog", { name: "New endpoint" });
  const chosen = screen.getAllByRole<HTMLInputElement>("checkbox", { checked: true });
  expect(chosen.map((box) => box.labels?.[0]?.textContent)).toEqual(["A run fails", "A run times out"]);
});

test("a rotation asks first, then shows the new secret and how long the old one stays valid", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  server.answer("rotate_event_secret", endpointWithSecret({ secret: "whsec_new" }));
  await user.click(press("Rotate secret"));
  await screen.findByRole("alertdialog");
  expect(server.sent("rotate_event_secret")).toEqual([]);
  await user.click(press("Rotate"));
  expect((await screen.findByTestId("endpoint-secret")).textContent).toBe("whsec_new");
  screen.getByText(/24 hours/);
});

test("a refused rotation keeps the dialog open and shows the reason", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  server.refuse("rotate_event_secret", { code: "FORBIDDEN", message: "You need the admin role." });
  await user.click(press("Rotate secret"));
  await user.click(await screen.findByRole("button", { name: "Rotate" }));
  expect((await within(screen.getByRole("alertdialog")).findByRole("alert")).textContent).toBe(
    "You need the admin role.",
  );
});

test("an endpoint is deleted only after a confirmation that names its URL", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  server.answer("delete_event_endpoint", { endpoint_id: idOf(1), deleted: true });
  await user.click(press("Delete"));
  const question = await screen.findByRole("alertdialog");
  expect(question.textContent).toContain("https://pager.example/in");
  expect(server.sent("delete_event_endpoint")).toEqual([]);
  await user.click(press("Delete endpoint"));
  await eventually(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(server.sent("delete_event_endpoint")).toEqual([{ endpoint_id: idOf(1) }]);
});

test("a refused test event and a refused switch show the reason", async () => {
  const { user, server } = renderEndpoints([sampleEndpoint()]);
  server.refuse("test_event_endpoint", { code: "BAD_REQUEST", message: "The endpoint is switched off." });
  await user.click(press("Send test event"));
  expect((await screen.findByRole("alert")).textContent).toBe("The endpoint is switched off.");
  server.refuse("update_event_endpoint", { code: "BAD_REQUEST", message: "The endpoint was deleted." });
  await user.click(screen.getByRole("switch", { name: "On: Pager" }));
  await screen.findByText("The endpoint was deleted.");
  expect(screen.queryByRole("dialog")).toBeNull();
});
