import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { clientAddress, clientSource, isLocalClient } from "#lib/api/admission/client-address";
import { identifyClient } from "#lib/api/edge/identify-client";
import { parseNetworkList } from "#lib/platform/config/network-list";

/** Returns what the application sees of a request that arrives from `peer`. */
function seen(peer: string | undefined, given: Record<string, string>, trusted = ""): Headers {
  const incoming = { headers: { ...given }, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
  identifyClient(incoming, parseNetworkList(trusted));
  return new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
}

const PROXIES = "10.0.0.0/8, 2001:db8:ffff::/48, 192.0.2.1";

describe("the client's address", () => {
  test.each([
    ["is the socket's", "203.0.113.9", {}, "203.0.113.9"],
    ["is the socket's whatever the client claims", "203.0.113.9", { "x-forwarded-for": "127.0.0.1" }, "203.0.113.9"],
    ["is an IPv4 address on a dual-stack socket", "::ffff:203.0.113.9", {}, "203.0.113.9"],
    ["has no zone", "fe80::1%eth0", {}, "fe80::1"],
    ["is what a trusted proxy appended", "10.0.0.1", { "x-forwarded-for": "1.1.1.1, 203.0.113.9" }, "203.0.113.9"],
    [
      "is found past further trusted proxies",
      "10.0.0.1",
      { "x-forwarded-for": "1.1.1.1, 203.0.113.9, 192.0.2.1, 10.9.9.9" },
      "203.0.113.9",
    ],
    ["is read with a port", "10.0.0.1", { "x-forwarded-for": "203.0.113.9:4711" }, "203.0.113.9"],
    ["is read with brackets and a port", "10.0.0.1", { "x-forwarded-for": "[2001:db8::7]:4711" }, "2001:db8::7"],
    ["is the proxy's if it reports nothing", "10.0.0.1", {}, "10.0.0.1"],
    [
      "is the nearest known machine before an unreadable entry",
      "10.0.0.1",
      { "x-forwarded-for": "a, x, 10.2.2.2" },
      "10.2.2.2",
    ],
    ["is the first one if all are trusted", "10.0.0.1", { "x-forwarded-for": "10.3.3.3, 10.2.2.2" }, "10.3.3.3"],
    ["is never read from Forwarded", "10.0.0.1", { forwarded: "for=203.0.113.9" }, "10.0.0.1"],
    [
      "is not what the client writes into our own header",
      "203.0.113.9",
      { "x-signalbox-client-address": "1.1.1.1" },
      "203.0.113.9",
    ],
    ["is unknown if the client has gone", undefined, { "x-signalbox-client-address": "1.1.1.1" }, "unknown"],
  ] as [string, string | undefined, Record<string, string>, string][])("%s", (_, peer, given, address) => {
    expect(clientAddress(seen(peer, given, PROXIES))).toBe(address);
  });

  test("without TRUSTED_PROXIES no header changes it, not even from this machine", () => {
    expect(clientAddress(seen("127.0.0.1", { "x-forwarded-for": "203.0.113.9" }))).toBe("127.0.0.1");
  });

  test("no forwarding header of the client reaches the application", () => {
    const headers = seen("203.0.113.9", {
      "x-forwarded-for": "1.1.1.1",
      "x-forwarded-host": "evil.example",
      "x-forwarded-port": "1",
      "x-forwarded-proto": "https",
      forwarded: "for=1.1.1.1",
    });
    expect(Object.fromEntries(headers)).toEqual({
      "x-forwarded-for": "203.0.113.9",
      "x-signalbox-client-address": "203.0.113.9",
    });
  });
});

describe("a client on this machine", () => {
  test.each([
    ["127.0.0.1", {}, true],
    ["127.8.8.8", {}, true],
    ["::1", {}, true],
    ["::ffff:127.0.0.1", {}, true],
    ["192.168.1.1", {}, false],
    ["192.168.1.1", { "x-signalbox-local-client": "true" }, false],
    // A proxy on this machine, trusted or not.
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, false],
    ["127.0.0.1", { forwarded: "for=127.0.0.1" }, false],
    ["127.0.0.1", { via: "1.1 proxy" }, false],
    ["127.0.0.1", { "x-real-ip": "127.0.0.1" }, false],
  ] as [string, Record<string, string>, boolean][])("%s with %j: %s", (peer, given, isLocal) => {
    expect(isLocalClient(seen(peer, given))).toBe(isLocal);
    expect(isLocalClient(seen(peer, given, "127.0.0.1"))).toBe(isLocal);
  });
});

test("a source is an IPv4 address or the /64 network of an IPv6 address", () => {
  expect(clientSource(seen("203.0.113.9", {}))).toBe("203.0.113.9");
  expect(clientSource(seen("2001:db8:1:2:3:4:5:6", {}))).toBe("2001:db8:1:2::/64");
  expect(clientSource(seen("2001:db8:1:2:ffff::1", {}))).toBe("2001:db8:1:2::/64");
  expect(clientSource(new Headers())).toBe("unknown");
});

test.each(["10.0.0.1/33", "10.1/8", "proxy.internal", "10.0.0.1 10.0.0.2", "127.1", "::g"])(
  "TRUSTED_PROXIES refuses %j",
  (text) => {
    expect(() => parseNetworkList(text)).toThrow(/is not an address or a CIDR range/);
  },
);
