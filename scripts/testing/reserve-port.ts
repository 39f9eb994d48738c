import { once } from "node:events";
import { createServer } from "node:net";
import { isPortFree } from "#scripts/instance/find-free-port";

/**
 * The first port and the number of ports. No system assigns one of these by itself: Linux starts at 32,768, and macOS
 * and Windows start at 49,152. The tests of a cluster use the ports from 26,000.
 */
const FIRST_PORT = 20_000;
const PORTS = 6_000;
const BLOCK_PORTS = 20;

let block = { next: 0, end: 0 };

/**
 * Reserves a port that no other test gets, for a server that starts later or that starts again on the same port. A port
 * that the system assigned to a closed `listen(0)` is no reservation: the system may assign it to another process before
 * the server starts.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    if (block.next === block.end) block = await claimBlock();
    const port = block.next;
    block.next += 1;
    if (await isPortFree(port)) return port;
  }
}

/** Claims a block of ports for this process, which listens on the block's first port until it ends. */
async function claimBlock(): Promise<typeof block> {
  // Processes that run at the same time start their search at different blocks.
  const start = process.pid * BLOCK_PORTS;
  for (let offset = 0; offset < PORTS; offset += BLOCK_PORTS) {
    const first = FIRST_PORT + ((start + offset) % PORTS);
    if (await canHold(first)) return { next: first + 1, end: first + BLOCK_PORTS };
  }
  throw new Error(`no free ports found, starting from ${FIRST_PORT}`);
}

async function canHold(port: number): Promise<boolean> {
  const server = createServer().unref();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  }
}
