import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A TCP proxy that can go silent. Nothing passes and neither side learns of a closed connection, as if a cable were
 * cut.
 */
export interface BlackHole {
  port: number;
  /** Stops all traffic from now on. With `answers`, requests still arrive and only the answers are lost. */
  open(what?: "all" | "answers"): void;
  /** Lets new connections through. Connections that were cut stay silent, as if a NAT had dropped them. */
  close(): void;
  /** Lists how long callers waited for an answer before they closed the connection, in ms, longest first. */
  waits(): number[];
  end(): void;
}

interface Link {
  client: Socket;
  server: Socket;
  isCut: boolean;
  /** The time of the first request without an answer. Null if every request got one. */
  unansweredSince: number | null;
}

export async function startBlackHole(targetPort: number): Promise<BlackHole> {
  let isOpen = false;
  let isDeaf = true;
  const links = new Set<Link>();
  const waits: number[] = [];
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const link: Link = { client, server: connect(targetPort, "127.0.0.1"), isCut: isOpen, unansweredSince: null };
    links.add(link);
    client.on("data", (data) => {
      if (!link.isCut || !isDeaf) link.server.write(data);
      link.unansweredSince ??= performance.now();
    });
    link.server.on("data", (data) => {
      if (link.isCut) return;
      link.unansweredSince = null;
      client.write(data);
    });
    const giveUp = () => {
      if (link.isCut && link.unansweredSince !== null) waits.push(performance.now() - link.unansweredSince);
      link.unansweredSince = null;
      links.delete(link);
      link.server.destroy();
      client.destroy();
    };
    client.on("end", giveUp).on("close", giveUp).on("error", giveUp);
    // On a cut connection, no data from the server arrives, including its end.
    const pass = () => void (link.isCut || client.destroy());
    link.server.on("end", pass).on("close", pass).on("error", pass);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    port: (proxy.address() as AddressInfo).port,
    open: (what = "all") => {
      isOpen = true;
      isDeaf = what === "all";
      for (const link of links) link.isCut = true;
    },
    close: () => {
      isOpen = false;
      isDeaf = true;
    },
    waits: () => {
      const pending = [...links].filter((link) => link.isCut && link.unansweredSince !== null);
      const now = performance.now();
      return [...waits, ...pending.map((link) => now - (link.unansweredSince ?? now))].sort((a, b) => b - a);
    },
    end: () => {
      for (const link of links) link.client.destroy();
      proxy.close();
    },
  };
}
