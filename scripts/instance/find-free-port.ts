import { once } from "node:events";
import { connect, createServer } from "node:net";

/**
 * Returns true if no process serves `port` on this machine's loopback addresses or on `host`. Binding alone is no
 * proof: some systems allow a bind to 127.0.0.1 next to a server on all addresses, and `localhost` may resolve to ::1
 * first.
 */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  for (const address of new Set(["127.0.0.1", "::1", host])) {
    if (!(await canListen(port, address))) return false;
  }
  return !(await answers(port, "127.0.0.1")) && !(await answers(port, "::1"));
}

/** Returns the first free port from `first` on, or any free port if `first` is 0. */
export async function findFreePort(first: number, host = "127.0.0.1"): Promise<number> {
  if (first === 0) return takeAnyPort();
  for (let port = first; port < Math.min(first + 200, 65_536); port++) {
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`no free port found, starting from ${first}`);
}

async function takeAnyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system did not assign a port");
  return address.port;
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES") throw new Error(`this user is not allowed to use port ${port}`, { cause: error });
    // On a machine without IPv6, ::1 cannot be taken.
    return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" || code === "EINVAL";
  }
}

async function answers(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
