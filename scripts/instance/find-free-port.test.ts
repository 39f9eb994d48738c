import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { findFreePort } from "#scripts/instance/find-free-port";

test("a port with a listener is skipped, on IPv6 too", async () => {
  const server = createServer().listen(0, "::");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await findFreePort(port)).toBeGreaterThan(port);
  server.close();
});
