import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EventEndpointObject } from "#lib/contract/event/outbound-event";
import { eventually } from "#lib/support/eventually.fixture";
import { EndpointDialog } from "@/components/features/outbound-events/endpoint-dialog";
import { describedBy, renderPage } from "@/components/testing/render-page.fixture";

const ENDPOINT: EventEndpointObject = {
  endpoint_id: "77777777-7777-4777-8777-777777777777",
  name: "Pager",
  url: "https://pager.example/in",
  events: ["run.failed"],
  is_enabled: true,
  disabled_reason: null,
  failing_since: null,
  created_at: "2026-01-05T09:00:00.000Z",
};

test("a new endpoint needs a URL and an event", async () => {
  const { user, server } = renderPage(<EndpointDialog endpoint={null} onClose={vi.fn()} onCreated={vi.fn()} />);
  const address = screen.getByRole("textbox", { name: "Address" });
  for (const event of screen.getAllByRole<HTMLInputElement>("checkbox")) if (event.checked) await user.click(event);
  await user.click(screen.getByRole("button", { name: "Create endpoint" }));
  await eventually(() => expect(describedBy(address)).toBe("Enter the URL that receives events."));
  screen.getByText("Choose at least one event.");
  await user.type(address, "ftp://example.com");
  await eventually(() => expect(describedBy(address)).toBe("Must be a URL such as https://example.com/hooks."));
  expect(server.sent("create_event_endpoint")).toEqual([]);
});

test("a changed endpoint is sent with its ID", async () => {
  const onClose = vi.fn();
  const { user, server } = renderPage(<EndpointDialog endpoint={ENDPOINT} onClose={onClose} onCreated={vi.fn()} />);
  server.answer("update_event_endpoint", ENDPOINT);
  await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await eventually(() => expect(onClose).toHaveBeenCalled());
  const { endpoint_id, url, events } = ENDPOINT;
  expect(server.sent("update_event_endpoint")).toEqual([{ endpoint_id, url, events, name: "Pager 2" }]);
});
