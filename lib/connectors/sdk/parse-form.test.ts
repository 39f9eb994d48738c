import { expect, test } from "vitest";
import { parseForm } from "#lib/connectors/sdk/parse-form";

const parse = (text: string) => parseForm(Buffer.from(text));

test("bracketed names become levels, and numbered levels become arrays", () => {
  expect(parse("leads[add][0][id]=1&leads[add][0][name]=A%20B&leads[add][1][id]=2&account[id]=9")).toEqual({
    leads: { add: [{ id: "1", name: "A B" }, { id: "2" }] },
    account: { id: "9" },
  });
  expect(parse("ids[]=a&ids[]=b")).toEqual({ ids: ["a", "b"] });
});

test("no name reaches a property that every object inherits", () => {
  const parsed = parse("__proto__[polluted]=1&constructor[prototype][polluted]=1&a=1&a[b]=2");
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(parsed.a).toEqual({ b: "2" });
});
