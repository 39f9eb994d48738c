import { expect, test } from "vitest";
import { DIRECT_METHODS, findDirectRoute } from "#lib/api/edge/direct-routes";
import * as runtime from "@/app/api/v1/runtime/[[...path]]/route";
import * as mcp from "@/app/mcp/route";
import * as webhooks from "@/app/webhooks/[...path]/route";

test.each([
  ["/api/v1/runtime", runtime],
  ["/api/v1/runtime/actions/greet/run", runtime],
  ["/api/v1/runtime/nothing/there", runtime],
  ["/mcp", mcp],
  ["/webhooks/1", webhooks],
  ["/webhooks/test/1", webhooks],
  ["/webhooks/connectors/1", webhooks],
])("%s has one function for all methods, whether Next.js calls it or our server", (pathname, exported) => {
  const handlers: Record<string, unknown> = exported;
  const answer = findDirectRoute("GET", pathname);
  expect(answer).toBeTypeOf("function");
  expect(Object.keys(handlers).toSorted()).toEqual([...DIRECT_METHODS].toSorted());
  for (const method of DIRECT_METHODS) {
    expect(handlers[method]).toBe(answer);
    expect(findDirectRoute(method, pathname)).toBe(answer);
  }
});

test.each([
  "/",
  "/runs",
  "/api/web/session",
  "/api/v1/runtimes",
  "/api/v1",
  "/mcp/x",
  "/mcps",
  "/webhooks",
  "/healthz",
])("%s belongs to Next.js", (pathname) => {
  expect(findDirectRoute("GET", pathname)).toBeNull();
});

test.each(["PROPFIND", "TRACE", "get", undefined])("method %s belongs to Next.js", (method) => {
  expect(findDirectRoute(method, "/mcp")).toBeNull();
});
