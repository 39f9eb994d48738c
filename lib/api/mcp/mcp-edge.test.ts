import { expect, test } from "vitest";
import { isAllowedOrigin } from "#lib/api/mcp/mcp-edge";

// PUBLIC_BASE_URL is read once per process, so it is set before any module reads it.
process.env.DATABASE_URL ??= "postgres://nobody@127.0.0.1:1/none";
process.env.PUBLIC_BASE_URL = "https://flows.example.com/base";

test.each([
  null,
  "",
  "https://flows.example.com",
  "http://localhost:6274",
  "https://localhost",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
])("a page of the origin %j can call the endpoint", (origin) => {
  expect(isAllowedOrigin(origin)).toBe(true);
});

test.each([
  "null",
  "https://evil.example.com",
  "http://flows.example.com",
  "https://flows.example.com:8443",
  "https://flows.example.com.evil.com",
  "https://localhost.evil.com",
  "http://127.0.0.1.nip.io",
  "chrome-extension://localhost",
  "file://localhost",
  "not an origin",
])("a page of the origin %j cannot call the endpoint", (origin) => {
  expect(isAllowedOrigin(origin)).toBe(false);
});
