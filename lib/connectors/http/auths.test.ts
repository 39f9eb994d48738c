import { expect, test } from "vitest";
import { HTTP_AUTHS } from "#lib/connectors/http/auths";

const request = (headers: Record<string, string> = {}) => {
  return { method: "GET", url: "https://api.example.com/a?q=1", headers, signal: new AbortController().signal };
};
const auth = (name: string) => {
  const found = HTTP_AUTHS.find((one) => one.name === name);
  if (!found) throw new Error("there is one");
  return found;
};

test("several API keys are sent at once, each where it belongs", () => {
  const values = {
    placement_1: "header",
    name_1: "DD-API-KEY",
    value_1: "first",
    placement_2: "query",
    name_2: "application_key",
    value_2: "second",
  };
  expect(auth("api_keys").sign(request(), values)).toMatchObject({
    url: "https://api.example.com/a?q=1&application_key=second",
    headers: { "dd-api-key": "first" },
  });
  const third = { placement_3: "header", name_3: "x-account", value_3: "third" };
  expect(auth("api_keys").sign(request(), { ...values, ...third }).headers).toEqual({
    "dd-api-key": "first",
    "x-account": "third",
  });
});

test("two keys are required, a third is not, and every one of them is a secret", () => {
  const { fields } = auth("api_keys");
  expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
    ...["placement_1", "name_1", "value_1", "placement_2", "name_2", "value_2", "hosts"],
  ]);
  expect(fields.filter(({ kind }) => kind === "secret").map(({ name }) => name)).toEqual([
    "value_1",
    "value_2",
    "value_3",
  ]);
});

test("a key in a cookie joins the cookies of the request", () => {
  const values = { placement: "header", name: "Cookie", value: "key=1" };
  expect(auth("api_key").sign(request({ cookie: "lang=de" }), values).headers.cookie).toBe("lang=de; key=1");
});

test("a key in the query leaves the rest of the address byte for byte", () => {
  const values = { placement: "query", name: "key", value: "s&1" };
  const address = "https://api.example.com/a?q=%20%2F&flag&bytes=%E9&plus=a+b";
  const signed = (url: string) => auth("api_key").sign({ ...request(), url }, values).url;
  expect(signed(`${address}#x`)).toBe(`${address}&key=s%261#x`);
  expect(signed(`${address}&key=mine&k%65y=other`)).toBe(`${address}&key=s%261`);
});
