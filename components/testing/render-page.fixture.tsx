import { QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { run as runAxe } from "axe-core";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { expect, onTestFinished, vi } from "vitest";
import type { SessionObject } from "#lib/contract/wire/web";
import { eventually } from "#lib/support/eventually.fixture";
import { createQueryClient } from "@/components/api/query-client";
import { ThemedToaster } from "@/components/pages/frame/toaster";
import { SessionProvider } from "@/components/shell/session-context";
import { type FakeServer, startFakeServer } from "@/components/testing/fake-server.fixture";
import { trackPageFocus } from "@/components/ui/overlays/return-focus";

const SESSION: SessionObject = {
  user: { user_id: "11111111-1111-4111-8111-111111111111", name: "Ann", email: "ann@example.com" },
  workspace: {
    workspace_id: "22222222-2222-4222-8222-222222222222",
    slug: "acme",
    name: "Acme",
    plan: "free",
    time_zone: "UTC",
  },
  role: "owner",
  base_url: "https://signalbox.example",
};

export interface RenderedPage extends RenderResult {
  user: UserEvent;
  server: FakeServer;
  /** Records where the page navigates. */
  router: AppRouterInstance;
}

interface PageOptions {
  session?: Partial<SessionObject>;
  /** Sets the answers that the page requests at once. */
  prepare?: (server: FakeServer) => void;
  /** The page's path and query. */
  address?: string;
}

/** Renders a page as a signed-in person sees it, inside everything that surrounds a page, with a fake server. */
export function renderPage(page: ReactNode, { session, prepare, address = "/" }: PageOptions = {}): RenderedPage {
  const server = startFakeServer();
  const signedIn = { ...SESSION, ...session };
  onTestFinished(() => expect([...new Set(server.unexpected)].join(), "requests without an answer").toBe(""));
  server.answer("get_session", signedIn);
  prepare?.(server);
  window.history.replaceState(null, "", address);
  const router = fakeRouter();
  const queryClient = createQueryClient();
  // A retry would wait for seconds, and the result of a failure is the same without it.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  const result = render(
    <AppRouterContext value={router}>
      <AddressProvider>
        <QueryClientProvider client={queryClient}>
          <SessionProvider session={signedIn}>
            <main id="content" tabIndex={-1}>
              {page}
            </main>
            <ThemedToaster />
          </SessionProvider>
        </QueryClientProvider>
      </AddressProvider>
    </AppRouterContext>,
  );
  return { ...result, user: patientUser(), server, router };
}

/** Returns a user who waits until an opening or closing dialog makes its elements, or those behind it, usable. */
function patientUser(): UserEvent {
  const user = userEvent.setup({ delay: null });
  const untilUsable = (element: Element) =>
    eventually(() => {
      let at: Element | null = element;
      while (at && ["", "inherit"].includes((at as HTMLElement).style.pointerEvents)) at = at.parentElement;
      if (at) expect((at as HTMLElement).style.pointerEvents).not.toBe("none");
    });
  const click: UserEvent["click"] = async (element) => {
    await untilUsable(element);
    return user.click(element);
  };
  const type: UserEvent["type"] = async (element, ...typed) => {
    await untilUsable(element);
    return user.type(element, ...typed);
  };
  return { ...user, click, type };
}

/** Returns the text that describes a control: its description and its error, as a screen reader reads them. */
export function describedBy(control: HTMLElement): string {
  const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
}

/** Waits for the focus, which moves after its target is drawn. */
export async function expectFocus(element: HTMLElement): Promise<void> {
  await eventually(() => expect(document.activeElement).toBe(element));
}

/**
 * Expects that a screen reader and a keyboard can use the element. Colors are tested elsewhere, because jsdom draws
 * nothing.
 */
export async function expectAccessible(element: Element = document.body): Promise<void> {
  const { violations } = await runAxe(element, {
    // Most of the time would be spent on describing every element that passes.
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

function fakeRouter(): AppRouterInstance {
  return {
    back: vi.fn(),
    forward: vi.fn(),
    refresh: vi.fn(),
    push: vi.fn(),
    replace: vi.fn(),
    prefetch: vi.fn(),
  } as unknown as AppRouterInstance;
}

/** Provides the address to the hooks of next/navigation. It follows the history, as in the application. */
function AddressProvider({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(() => window.location.pathname + window.location.search);
  useLayoutEffect(() => {
    const spies = (["pushState", "replaceState"] as const).map((name) => {
      const original = window.history[name].bind(window.history);
      return vi.spyOn(window.history, name).mockImplementation((...change) => {
        original(...change);
        setAddress(window.location.pathname + window.location.search);
      });
    });
    const stopTracking = trackPageFocus();
    return () => {
      stopTracking();
      for (const spy of spies) spy.mockRestore();
    };
  }, []);
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return (
    <PathnameContext value={pathname}>
      <SearchParamsContext value={searchParams}>{children}</SearchParamsContext>
    </PathnameContext>
  );
}
