import { expect, test } from "vitest";
import { literalOrigin } from "#lib/support/urls/allowed-origins";

test.each([
  ["https://api.example.com", "https://api.example.com"],
  [" http://127.0.0.1:4231/orders?x=1 ", "http://127.0.0.1:4231"],
  ["https://API.example.com:443/{{action_input.path}}", "https://api.example.com"],
  ["https://api.example.com?id={{a.b}}", "https://api.example.com"],
  ["https://{{action_input.host}}/orders", null],
  ["https://api.example.com{{action_input.path}}", null],
  ["https://api.example.com\\{{x}}", null],
  ["{{action_input.url}}", null],
  ["api.example.com/orders", null],
  ["https://user:word@api.example.com/orders", "https://api.example.com"],
  [undefined, null],
])("the literal origin of %j is %j", (address, origin) => {
  expect(literalOrigin(address)).toBe(origin);
});
