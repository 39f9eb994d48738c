import { expect, test } from "vitest";
import { matchPath } from "#lib/support/match-path";

const match = matchPath("/actions/:slug/run");

test.each([
  ["/actions/greet/run", { slug: "greet" }],
  ["/actions/gr%C3%A9e%2Ft/run", { slug: "grée/t" }],
  ["/actions//run", null],
  ["/actions/greet", null],
  ["/actions/greet/run/", null],
  ["/Actions/greet/run", null],
  ["actions/greet/run", null],
])("%s", (pathname, params) => {
  expect(match(pathname)).toEqual(params);
});
