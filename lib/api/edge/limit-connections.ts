import type { Server } from "node:http";
import type { Socket } from "node:net";
import { sourceOf } from "#lib/api/admission/client-address";
import { LIMITS } from "#lib/contract/limits";
import { isInNetworks, isLoopbackAddress, type NetworkList, parseAddress } from "#lib/platform/config/network-list";

/**
 * Closes connections above the limit of their source. Trusted proxies and this machine have none: one connection of
 * theirs can carry any client.
 */
export function limitConnections(server: Pick<Server, "on">, trusted: NetworkList): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const peer = parseAddress(socket.remoteAddress ?? "");
    if (peer === null || isLoopbackAddress(peer) || isInNetworks(peer, trusted)) return;
    const source = sourceOf(peer.toString());
    const others = open.get(source) ?? 0;
    if (others >= LIMITS.connectionsPerSource) {
      socket.destroy();
      return;
    }
    open.set(source, others + 1);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
  });
}
