import { expect, test, vi } from "vitest";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { tryCredentials } from "#lib/domain/connections/try-credentials";

const sent = vi.hoisted((): OutgoingRequest[] => []);
vi.mock(import("#lib/connectors/safe-fetch"), () => ({
  createOutgoingClient: vi.fn<typeof createOutgoingClient>(() => ({
    send: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.from("{}") };
    },
    close: async () => {},
  })),
}));

test("the test of credentials that are not stored yet takes turns with other requests of its workspace", async () => {
  const values = { base_url: "https://api.example", token: "t", test_url: "https://api.example/me" };
  const tried = await tryCredentials("w1", "http", { auth: "bearer", values });
  expect(tried).toMatchObject({ outcome: "ok" });
  expect(sent).toMatchObject([{ url: "https://api.example/me", workspaceId: "w1" }]);
  expect(createOutgoingClient).toHaveBeenCalledOnce();
});
