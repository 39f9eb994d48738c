import { expect, test } from "vitest";
import { mayTrace, parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";

test.each([
  ["*", "api.example.com", true],
  ["none", "api.example.com", false],
  ["api.example.com", "api.example.com", true],
  ["api.example.com", "other.example.com", false],
  ["a.test, *.example.com", "api.example.com", true],
  ["*.example.com", "example.com.evil.test", false],
])("TRACEPARENT_HOSTS=%s lets %s see the trace: %s", (hosts, host, isAllowed) => {
  expect(mayTrace(parseOutboundAllow("", hosts), host)).toBe(isAllowed);
});
