import { describe, expect, test } from "vitest";
import { checkRequestTarget, knownHosts } from "#lib/api/edge/check-request-target";
import { ApiError } from "#lib/contract/error/api-error";

const HOSTS = knownHosts(
  ["https://signalbox.example.com", "https://hooks.example.com:8443", undefined],
  ["Internal.svc"],
);

/** Returns the path that the application sees, or the reason of the refusal. */
function outcome(url: string, host: string | undefined): string {
  try {
    return checkRequestTarget(url, host === undefined ? [] : [host], HOSTS);
  } catch (error) {
    return error instanceof ApiError ? error.reason : String(error);
  }
}

describe("the Host header", () => {
  test.each([
    "signalbox.example.com",
    "SIGNALBOX.example.com:443",
    "signalbox.example.com.",
    "hooks.example.com",
    "internal.svc:3000",
    "localhost:3000",
    "app.localhost",
    "127.0.0.1:3000",
    "127.3.2.1",
    "[::1]:3000",
  ])("%s is allowed", (host) => {
    expect(outcome("/runs", host)).toBe("/runs");
  });

  test.each([
    "evil.example",
    "signalbox.example.com.evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example@localhost",
    "localhost/evil",
    "localhost:1:2",
    "192.168.1.5:3000",
    "2130706433",
    "0x7f.0.0.1",
    "127.1",
    "[::]",
    "",
    undefined,
  ])("%s is refused on every path", (host) => {
    for (const path of ["/", "/api/v1/runtime/actions", "/mcp", "/webhooks/x", "/_next/static/a.js", "/healthz/x"]) {
      expect(outcome(path, host)).toBe("host_not_allowed");
    }
  });

  test("an address is allowed for probes, because only a name can be rebound", () => {
    for (const path of ["/healthz", "/readyz?verbose", "/metrics"]) {
      expect(outcome(path, "10.1.2.3:3000")).toBe(path);
      expect(outcome(path, "[2001:db8::1]")).toBe(path);
      expect(outcome(path, "evil.example")).toBe("host_not_allowed");
    }
  });

  test("several Host headers are refused, even if they are equal", () => {
    for (const another of ["localhost", "evil.example", ""]) {
      expect(() => checkRequestTarget("/", ["localhost", another], HOSTS)).toThrow(/several Host headers/);
    }
  });

  test("the refusal names the settings", () => {
    expect(() => checkRequestTarget("/", ["evil.example"], HOSTS)).toThrow(
      /PUBLIC_BASE_URL.*WEBHOOK_BASE_URL.*ALLOWED_HOSTS/,
    );
  });
});

describe("the request target", () => {
  test.each(["/%ff", "/a/%", "/runs?q=%e9", "/%zz", "/%c0%af", "/?%ff=1", "/%00", "/runs/a%00b?c"])(
    "%s is refused",
    (url) => {
      expect(outcome(url, "localhost")).toBe("bad_request");
    },
  );

  test.each(["/%C3%A9", "/runs?q=100%25", "/a%2Fb?x=%00", "/?a=b+c"])("%s is passed on", (url) => {
    expect(outcome(url, "localhost")).toBe(url);
  });

  test("an absolute target is checked by its own host", () => {
    expect(outcome("http://localhost:3000/runs?a=b", "evil.example")).toBe("/runs?a=b");
    for (const host of [undefined, "", "user@localhost", "localhost, evil.example"]) {
      expect(outcome("http://localhost:3000/runs", host)).toBe("bad_request");
    }
    expect(outcome("http://localhost:3000", "localhost")).toBe("/");
    expect(outcome("http://evil.example/runs", "localhost")).toBe("host_not_allowed");
    expect(outcome("http://localhost@evil.example/", "localhost")).toBe("host_not_allowed");
  });

  test.each(["*", "evil.example:443", "ftp://localhost/", ""])("%j is refused", (url) => {
    expect(outcome(url, "localhost")).toBe("bad_request");
  });
});
