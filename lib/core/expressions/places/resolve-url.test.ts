import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const urlOf = (url: string, scope: Record<string, unknown>) =>
  resolveParams({ method: "GET", url }, { url: { place: "url" } }, scope, templateBudget(), "params").url;

describe("a value in a path is one segment", () => {
  test.each([
    ["a/b", "a%2Fb"],
    ["../../admin/keys", "..%2F..%2Fadmin%2Fkeys"],
    ["1?admin=true", "1%3Fadmin%3Dtrue"],
    ["1#x", "1%23x"],
    ["a\\b", "a%5Cb"],
    ["a b+c", "a%20b%2Bc"],
    ["50%", "50%25"],
    ["a%2Fb", "a%252Fb"],
    ["ключ", "%D0%BA%D0%BB%D1%8E%D1%87"],
    ["a\tb\r\nc\0", "a%09b%0D%0Ac%00"],
    [".\t.", ".%09."],
    ["\ud800", "%EF%BF%BD"],
    ["...", "..."],
    ["a..b", "a..b"],
    [" ", "%20"],
    [0, "0"],
    [12.5, "12.5"],
    [false, "false"],
  ])("%j", (id, written) => {
    expect(urlOf("https://h/v1/orders/{{id}}", { id })).toBe(`https://h/v1/orders/${written}`);
    expect(urlOf("https://h/v1/{{id}}/items?x=1#y", { id })).toBe(`https://h/v1/${written}/items?x=1#y`);
    const parsed = new URL(String(urlOf("https://h/a/{{id}}/b", { id })));
    expect(parsed.pathname.split("/")).toHaveLength(4);
    expect(parsed.host).toBe("h");
  });

  test.each([
    ["https://h/a/{{id}}", ".."],
    ["https://h/a/{{id}}", "."],
    ["https://h/a/{{id}}/b", ".."],
    ["https://h/a/{{id}}?x", ".."],
    ["https://h/a/{{id}}#x", ".."],
    ["https://h/a\\\\{{id}}\\b", ".."],
    ["https://h/a/.{{id}}", "."],
    ["https://h/a/{{id}}.", "."],
    ["https://h/a/%2e{{id}}", "."],
    ["https://h/a/{{id}}%2E/b", "."],
    ["https://h/a/\t{{id}}\n/b", ".."],
    ["https://h/a/{{id}}{{id}}", "."],
    ["https://h/a/{{id}}", "%2e%2e"],
    ["https://h/a/{{id}}", ".%2E"],
    ["{{base}}/a/{{id}}", ".."],
    ["https://h/a/{{id}}", "%252e%252E"],
    ["https://h/a/{{id}}", "%25252e."],
    ["https://h/a/{{id}};v=1/b", ".."],
    ["https://h/a/{{id}};v=1/b", "."],
    ["https://h/a/{{id}}", "..;"],
    ["https://h/a/{{id}}/b", ".;a=b/c"],
    ["https://h/a/{{id}}", "..%3bx"],
    ["https://h/a/{{encode_url(id)}}", ".."],
    ["https://h/a/{{encode_url(id)}}/b", "."],
    ["https://h/a/%2e{{encode_url(id)}}", "."],
    ['https://h/a/{{encode_url(id) ?? "x"}}', ".."],
    ["https://h/a/{{default(encode_url(id), 1)}}", ".."],
  ])("%s refuses %j, which would lead to another path", (template, id) => {
    expect(() => urlOf(template, { id, base: "https://h" })).toThrow(
      "}} makes a segment of dots, which leads to another path.",
    );
  });

  test("an empty or missing value is an error, so that an order is never the list of orders", () => {
    expect(() => urlOf("https://h/orders/{{a.id}}", { a: { id: "" } })).toThrow("url: {{a.id}} is empty");
    expect(() => urlOf("https://h/orders/{{a.id}}?x=1", { a: { id: "" } })).toThrow("url: {{a.id}} is empty");
    expect(() => urlOf("https://h/orders/{{a.id}}/items", { a: {} })).toThrow("url: {{a.id}} has no value");
    expect(() => urlOf("https://h/orders-{{a.id}}", { a: { id: null } })).toThrow("url: {{a.id}} has no value");
    expect(urlOf('https://h/orders{{a.suffix ?? ""}}', { a: {} })).toBe("https://h/orders");
  });

  test("an encoded value that is empty or missing is an error, too", () => {
    expect(() => urlOf("https://h/orders/{{encode_url(a.id)}}", { a: { id: "" } })).toThrow("is empty");
    expect(() => urlOf("https://h/orders/{{encode_url(a.id)}}", { a: {} })).toThrow("has no value");
    expect(() => urlOf("https://h/{{encode_url(a.id)}}/items", { a: { id: null } })).toThrow("has no value");
  });

  test("parameters of a segment stay in it", () => {
    expect(urlOf("https://h/a;v={{v}}/b", { v: "1;admin=true" })).toBe("https://h/a;v=1%3Badmin%3Dtrue/b");
    expect(urlOf("https://h/a;v={{v}}/b", { v: ".." })).toBe("https://h/a;v=../b");
    expect(urlOf("https://h/{{v}};x=1", { v: "...;" })).toBe("https://h/...%3B;x=1");
    expect(urlOf("https://h/{{v}}", { v: "a..;b" })).toBe("https://h/a..%3Bb");
  });

  test("two spellings of one letter stay two segments", () => {
    expect(urlOf("https://h/{{v}}", { v: "\u00e9" })).toBe("https://h/%C3%A9");
    expect(urlOf("https://h/{{v}}", { v: "e\u0301" })).toBe("https://h/e%CC%81");
    expect(urlOf("https://h/{{v}}", { v: "．．" })).toBe("https://h/%EF%BC%8E%EF%BC%8E");
    expect(urlOf("https://h/{{v}}", { v: "⁄" })).toBe("https://h/%E2%81%84");
  });

  test("of expressions side by side, one needs a value", () => {
    expect(urlOf("https://h/orders/{{a.id}}{{b.id}}", { a: { id: 1 } })).toBe("https://h/orders/1");
    expect(urlOf("https://h/orders/{{a.id}}{{b.id}}", { b: { id: 2 } })).toBe("https://h/orders/2");
    expect(() => urlOf("https://h/orders/{{a.id}}{{b.id}}/x", {})).toThrow("{{a.id}} has no value");
  });

  test("a list or an object is an error that names the expression", () => {
    expect(() => urlOf("https://h/{{a}}", { a: [1] })).toThrow("url: {{a}} is a list");
    expect(() => urlOf("https://h/{{a}}", { a: { b: 1 } })).toThrow("url: {{a}} is an object");
  });
});

describe("a value in a query or a fragment stays inside it", () => {
  test.each([
    ["https://h/?q={{v}}", "a&admin=true", "https://h/?q=a%26admin%3Dtrue"],
    ["https://h/?q={{v}}&x=%20", "a+b c", "https://h/?q=a%2Bb%20c&x=%20"],
    ["https://h?{{v}}=1", "a=b", "https://h?a%3Db=1"],
    ["https://h/?q={{v}}", "#x", "https://h/?q=%23x"],
    ["https://h/?q={{v}}", null, "https://h/?q="],
    ["https://h/?q={{v}}", "", "https://h/?q="],
    ["https://h/?q={{v}}", "..", "https://h/?q=.."],
    ["https://h/?u=a/{{v}}/b", "..", "https://h/?u=a/../b"],
    ["https://h/?f={{v}}", { a: "b&c" }, "https://h/?f=%7B%22a%22%3A%22b%26c%22%7D"],
    ["https://h/#/{{v}}", "../x", "https://h/#/..%2Fx"],
  ])("%s with %j", (template, v, url) => expect(urlOf(template, { v })).toBe(url));
});

describe("a value in a host", () => {
  test.each([
    ["https://{{v}}.shop.example/x", "my-shop", "https://my-shop.shop.example/x"],
    ["https://{{v}}/x", "api.example.com:8443", "https://api.example.com:8443/x"],
    ["https://{{v}}/x", "[::1]:80", "https://[::1]:80/x"],
    ["https://{{v}}", "müller.example", "https://müller.example"],
    ["https://h:{{v}}/x", 8080, "https://h:8080/x"],
    ["http{{v}}://h/x", "s", "https://h/x"],
    ["https://{{gone}}{{v}}/x", "h", "https://h/x"],
    ["https://[{{v}}]:8080/x", "2001:db8::1", "https://[2001:db8::1]:8080/x"],
    ["https://[{{v}}]/x", "::ffff:192.0.2.1", "https://[::ffff:192.0.2.1]/x"],
    ["https://h:8{{v}}/x", "443", "https://h:8443/x"],
    ["https://h:{{v}}?q", 443, "https://h:443?q"],
    ["https://{{v}}.shop.example", "xn--mller-kva", "https://xn--mller-kva.shop.example"],
    ["{{v}}://h/x", "https", "https://h/x"],
    ["{{v}}:8443/x", "https://h", "https://h:8443/x"],
    ["https://{{encode_url(v)}}.shop.example/x", "my-shop", "https://my-shop.shop.example/x"],
  ])("%s can be %j", (template, v, url) => expect(urlOf(template, { v })).toBe(url));

  test.each([
    ["https://{{v}}.shop.example/x", "evil.example/"],
    ["https://{{v}}.shop.example/x", "evil.example?"],
    ["https://{{v}}.shop.example/x", "evil.example#"],
    ["https://{{v}}.shop.example/x", "evil.example\\"],
    ["https://{{v}}.shop.example/x", "u@evil.example"],
    ["https://{{v}}.shop.example/x", "evil.example:80"],
    ["https://{{v}}.shop.example/x", "a%2eb"],
    ["https://{{v}}.shop.example/x", ""],
    ["https://{{v}}.shop.example/x", "a\nb"],
    ["https://{{v}}.shop.example/x", "evil.example／"],
    ["https://h{{v}}/x", ".evil.example"],
    ["https://h{{v}}/x", "@evil.example"],
    ["https://h:{{v}}/x", "80@evil.example"],
    ["https:{{v}}/x", "//evil.example"],
    ["https:\\\\\\\\{{v}}/x", "a/b"],
    ["https://{{v}}/x", null],
    ["https://{{v}}/x", ["h"]],
    ["https://h@{{v}}/x", "evil/"],
    ["http{{v}}://h/x", "s://evil/?"],
    ["{{v}}://h/x", "https://evil.example/#"],
    ["{{v}}://h/x", "https://evil.example?a="],
    ["{{v}}:\\\\h/x", "https://evil.example/"],
    ["{{v}}://h/x", ""],
    ["{{v}}://h/x", null],
    ["{{v}}://h/x", "//evil"],
    ["https://[{{v}}]/x", "::1]@evil.example/["],
    ["https://[{{v}}]/x", "fe80::1%25eth0"],
    ["https://[{{v}}]/x", "evil.example"],
    ["https://h:{{v}}/x", "8080/evil"],
    ["https://h:{{v}}/x", "-1"],
    ["https://h:{{v}}/x", 80.5],
    ["https://h:{{v}}/x", ""],
    ["https://h:{{v}}/x", "８０"],
    ["https://{{v}}.shop.example/x", "a⁄b"],
    ["https://{{v}}.shop.example/x", "evil\u00ad"],
    ["https://api{{v}}/x", "。evil.example"],
    ["https://h{{encode_url(v)}}/x", ".evil.example"],
    ["https://{{encode_url(v)}}.shop.example/x", "evil.example/"],
  ])("%s can't be %j", (template, v) => expect(() => urlOf(template, { v })).toThrow(StepError));

  test("a credential belongs into a header", () => {
    expect(() => urlOf("https://{{u}}:{{p}}@h/x", { u: "ann", p: "a@b" })).toThrow("Put credentials into a header");
  });

  test("a value after the address of another value needs a slash between them", () => {
    const scope = { base: "https://h.co", path: "m.evil.example", rooted: "/v1" };
    expect(() => urlOf("{{base}}{{path}}", scope)).toThrow("Write a slash between them. Use raw(…)");
    expect(() => urlOf("{{base}}{{rooted}}", scope)).toThrow("Use raw(…)");
    expect(urlOf("{{base}}{{raw(rooted)}}", scope)).toBe("https://h.co/v1");
  });
});

describe("what the author gives as an address stays as it is", () => {
  test.each([
    ["{{v}}", "https://h/a/../b?x=%20#y"],
    [" {{v}}\n", "https://h/a/../b?x=%20#y"],
    ["{{gone}}{{v}}", "https://h/a/../b?x=%20#y"],
  ])("%j", (template, v) => expect(String(urlOf(template, { v })).trim()).toBe(v));

  test("a fragment in it is an error if more follows, because that would not be sent", () => {
    const refused = "has a fragment (#), so what follows it would not be sent";
    expect(() => urlOf("{{v}}?page={{n}}", { v: "https://h/x#part", n: 2 })).toThrow(`url: {{v}} ${refused}`);
    expect(() => urlOf("{{v}}/orders", { v: "https://h/x?y#part" })).toThrow(refused);
    expect(() => urlOf("https://h/{{raw(v)}}?page=2", { v: "x#part" })).toThrow(refused);
    expect(urlOf("{{v}} ", { v: "https://h/x#part" })).toBe("https://h/x#part ");
    expect(urlOf("{{v}}#{{n}}", { v: "https://h/x", n: "a#b" })).toBe("https://h/x#a%23b");
  });

  test("an origin, with or without a path or a query, is continued for its place", () => {
    const url = (base: string) => urlOf("{{base}}/v1/{{id}}", { base, id: "a/b" });
    expect(url("https://h")).toBe("https://h/v1/a%2Fb");
    expect(url("https://h/prefix/x")).toBe("https://h/prefix/x/v1/a%2Fb");
    expect(url("https://h:8080")).toBe("https://h:8080/v1/a%2Fb");
    expect(urlOf("{{base}}{{id}}", { base: "https://h/a/", id: "b/c" })).toBe("https://h/a/b%2Fc");
    expect(urlOf("{{base}}{{id}}", { base: "https://h/a?q=", id: "b&c" })).toBe("https://h/a?q=b%26c");
  });

  test("text of the author is never encoded, and a URL without expressions is untouched", () => {
    expect(urlOf("https://h/a/../b c/{{id}}/%2e%2e/x", { id: 1 })).toBe("https://h/a/../b c/1/%2e%2e/x");
    expect(urlOf("https://h/a/../b", {})).toBe("https://h/a/../b");
  });
});

describe("a value that a function writes for URLs is not encoded twice", () => {
  test.each([
    ["{{encode_url(v)}}", "a/b c", "a%2Fb%20c"],
    ['{{encode_url(v) ?? "none"}}', "a/b", "a%2Fb"],
    ['{{encode_url(gone) ?? "none"}}', "a/b", "none"],
    ["{{raw(v)}}", "a/b?c=d", "a/b?c=d"],
    ["{{raw(gone) ?? encode_url(v)}}", "a/b", "a%2Fb"],
    ["{{default(raw(v), 1)}}", "a/b", "a/b"],
    ["{{upper(v)}}", "a/b", "A%2FB"],
    ["{{raw(gone) ?? v}}", "a/b", "a%2Fb"],
    ["{{upper(raw(v))}}", "a/b", "A%2FB"],
    ['{{encode_url(gone) ?? "a/b"}}', "", "a/b"],
    ["{{lower(encode_url(v))}}", "A/B", "a%252fb"],
    ["{{raw(v)}}", "..", ".."],
  ])("%s of %j", (expression, v, written) =>
    expect(urlOf(`https://h/${expression}`, { v })).toBe(`https://h/${written}`),
  );
});

test("only the params that the operation declares are URLs, and their order stays", () => {
  const params = { body: "{{v}}/x", url: "https://h/{{v}}", headers: { x: "{{v}}/{{v}}" } };
  const resolved = resolveParams(params, { url: { place: "url" } }, { v: "a/b" }, templateBudget(), "params");
  expect(JSON.stringify(resolved)).toBe('{"body":"a/b/x","url":"https://h/a%2Fb","headers":{"x":"a/b/a/b"}}');
});

test("a path that leads nowhere is a warning at the URL", () => {
  const budget = templateBudget();
  resolveParams({ url: "https://h/?q={{a.b}}" }, { url: { place: "url" } }, { a: {} }, budget, "params");
  expect(budget.unresolved).toMatchObject([{ field: "params.url", path: "a.b" }]);
});

test("a URL of many thousand expressions is written in linear time", () => {
  const url = `https://h/${"{{a}}/".repeat(20_000)}`;
  expect(String(urlOf(url, { a: "x/y" }))).toHaveLength(10 + 6 * 20_000);
  expect(String(urlOf(url.replaceAll("{{a}}", "{{raw(a)}}"), { a: "x/y" }))).toHaveLength(10 + 4 * 20_000);
});
