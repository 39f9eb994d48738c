import type { FakeServer } from "@/components/testing/fake-server.fixture";

const NONE = { data: [], has_more: false as const, next_cursor: null };

/** Mocks what the forms of steps ask for, in a workspace in which nothing is set up yet. */
export function answerLists(server: FakeServer): void {
  server.answer("list_connectors", NONE);
  server.answer("list_connections", NONE);
  server.answer("list_connection_kinds", NONE);
  server.answer("list_circuits", { data: [] });
  server.answer("list_actions", NONE);
  server.answer("get_event_test", { test: null });
}
