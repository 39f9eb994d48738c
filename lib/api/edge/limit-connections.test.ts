import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { expect, test } from "vitest";
import { limitConnections } from "#lib/api/edge/limit-connections";
import { LIMITS } from "#lib/contract/limits";
import { parseNetworkList } from "#lib/platform/config/network-list";

class TestSocket extends EventEmitter {
  isDestroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }
}

function server(trusted = "") {
  const events = new EventEmitter();
  limitConnections(events as unknown as Server, parseNetworkList(trusted));
  return (address: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new TestSocket(address);
      events.emit("connection", socket);
      return socket;
    });
}
const closed = (sockets: TestSocket[]) => sockets.filter(({ isDestroyed }) => isDestroyed).length;

test("one source cannot hold all connections; others still get theirs", () => {
  const connect = server();
  const flood = connect("203.0.113.1", LIMITS.connectionsPerSource + 10);
  expect(closed(flood)).toBe(10);
  expect(closed(connect("203.0.113.2"))).toBe(0);
  flood[0]?.destroy();
  expect(closed(connect("203.0.113.1", 2))).toBe(1);
});

test("a /64 network is one source", () => {
  const connect = server();
  connect("2001:db8:0:1::1", LIMITS.connectionsPerSource);
  expect(closed(connect("2001:db8:0:1:ffff::1"))).toBe(1);
  expect(closed(connect("2001:db8:0:2::1"))).toBe(0);
});

test.each(["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1", "::1"])(
  "%s, a trusted proxy or this machine, has no limit",
  (address) => {
    expect(closed(server("10.0.0.0/24")(address, LIMITS.connectionsPerSource + 10))).toBe(0);
  },
);
