import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { findFreePort } from "#scripts/instance/find-free-port";

test("a port with a listener is skipped, on IPv6 too", async () => {
  const port = await findFreePort(0);
  const server = createServer().listen(port, "::");
  await once(server, "listening");
  expect(await findFreePort(port)).toBeGreaterThan(port);
  server.close();
});
