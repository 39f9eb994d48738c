import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { checkSeeded } from "#lib/domain/workflows/checks/judge-mistakes.fixture";
import { SEEDED } from "#lib/domain/workflows/checks/mistakes.fixture";

/** The problems of the seeded definition with other data in one step. */
function found(node: string, data: JsonObject): string[] {
  const operation = graphOperationSchema.parse({ op: "update_node", node_id: node, data });
  return checkSeeded(applyGraphOperations(SEEDED, [operation])).map(({ code, message }) => `${code} ${message}`);
}

describe("what is right has no problem:", () => {
  test.each([
    '{"a": 1, "b": {"c": []}}',
    '{"email": {email}}',
    "a { color: red } b{margin:0}",
    "x^{2} and \\frac{a}{b}",
    "Hello {name}, see {x.y}",
    "100% {off}",
    "cost $5 {approx}",
    "\\{{literal}}",
    "query { shape { total } }",
    "query { user {email} }",
    "query($id: ID!) { order(id: $id) { email } }",
    "const f = ({email}) => email;",
    "import {email} from 'x'",
    "^\\d{2,3}$",
    "Invoice #{{shape.total}}",
    `Sum: \${{shape.total}}`,
    `\${HOME}/bin and $PATH`,
    "{{{action_input.email}}}",
    '{"email": "{{action_input.email}}"}',
    "{{action_input.tags[0]}} {{few.items[0]}}",
    '{{join(action_input.tags, ", ")}}',
    '{{fetch.headers["x-next-page"]}} {{fetch.headers.x-next-page}}',
    "{{fetch.body.data.output.result.json}}",
    "{{action_input.order.steps.input.item}}",
    '{{action_input.discount ?? "none"}}',
    "{{default(action_input.discount, 0)}}",
    "report.pdf",
    "fetch.pdf",
    "work.txt",
    "www.example.com",
    "order.id",
    "$.data.id",
    "select * from t where name like '%email%'",
    "100%email%20",
    "<% not closed",
    "50 {% 5",
    "{%d items}",
    "[[not an input]] $(date) %PATH%",
    "=SUM(A1:A2)",
    "={{shape.total}}*2",
    "mail@{{action_input.email}} @{someone}",
    "{email",
    "email}",
    "{ }",
    "{{action_input.email}}, {{upper(action_input.email)}}",
  ])("the text %s", (text) => {
    expect(found("notify", { params: { chat_id: 1, text } })).toEqual([]);
  });

  test.each([
    "https://example.com/v1/orders:batch",
    "https://example.com:8080/a",
    "https://user.example.com/{{action_input.email}}/lines",
    "{{action_input.email}}/orders",
    "http{{action_input.email}}",
    "HTTPS://EXAMPLE.COM",
    "http://10.0.0.1/?a=b&c=d:e",
    "https://example.com/a:b/:",
  ])("the URL %s", (url) => {
    expect(found("fetch", { params: { method: "get", url } })).toEqual([]);
  });

  test.each([
    "type T = { [K in 'a' | 'b']: K };\nreturn { result: input.n };",
    "type O = Readonly<{ [Key in keyof typeof input]: string }>;\nreturn { result: 1 };",
    "type P = { x: number };\nfunction isP(v: unknown): v is P { return typeof v === 'object' }\nreturn { result: isP(input.n) };",
    "function check(v: unknown): asserts v is number { if (!v) throw new Error('x') }\ncheck(input.n); return { result: 1 };",
    "const o = { a: 1 } as const;\ntype K = keyof typeof o;\nconst k: K = 'a'; return { result: o[k] };",
    "function id<T extends object>(x: T): T { return x }\nreturn { result: id({}) };",
    "abstract class A { abstract m(): void; q = 1 }\nclass B extends A { m() {} }\nreturn { result: new B().q };",
    "const m = /(?<year>\\d{4})/u.exec('2024'); return { result: m?.groups?.year };",
    "outer: for (const x of [1]) { for (;;) { continue outer } } return { result: 1 };",
    "const shape = { total: input.n }; return { result: shape.total };",
    "const text = 'Hello {{name}}'.replace('{{name}}', 'x'); return { result: text };",
    "const { n = 1, ...rest } = input; return { result: n, rest };",
    "return { result: 'n' in input };",
    "export default async function main({ n }: { n: number }) { return { result: n } }",
    "if (typeof fetch === 'undefined') return { result: 0 }; return { result: 1 };",
  ])("the code %s", (source) => {
    expect(found("work", { source })).toEqual([]);
  });

  test.each([
    "$sum(action_input.tags.n)",
    "$map(action_input.tags, $uppercase)",
    "($f := function($x){ $x + 1 }; $f(shape.total))",
    "($x := shape.total; { 'a': $x })",
    "action_input.tags@$t#$i.{ 't': $t, 'i': $i }",
    "$.shape.total",
    "$$.shape.total",
    "shape.total ~> $round(2)",
    "$lookup(shape, 'total')",
    "[1..3].($ * 2)",
    "action_input.order.lines[price > 5].name",
    "action_input.order.lines{category: $sum(n)}",
    "action_input.order.lines^(>n)",
    "action_input.order.lines[sku = $$.action_input.email]",
    "$exists(model.object) ? model.object.category : 'x'",
    "function($a){ $a + 1 }(shape.total)",
    "$reduce(action_input.tags, function($a, $b){ $a & $b })",
    "{ 'at': $fromMillis($millis()), 'x': '{{not a step}}' }",
    "`shape`.total",
    "action_input.email & ' == && || '",
  ])("the JSONata %s", (jsonata) => {
    expect(found("query", { jsonata })).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["gate", { message: "" }],
    ["wait", { seconds: "5" }],
    ["wait", { seconds: "{{shape.total}}" }],
    ["each", { items: ["a", "b"] }],
    ["each", { items: "{{fetch.body.items}}" }],
    ["model", { prompt: 'Answer as JSON: {"category": "..."}' }],
    ["end", { properties: [{ name: "total", type: "number", value: "12" }] }],
    ["check", { rules: [{ left: "{{few.count}}", operator: "exists" }] }],
    ["check", { rules: [{ left: "{{action_input.discount}}", operator: "is_empty" }] }],
    ["check", { rules: [{ left: "{{action_input.email}}", operator: "ends_with", right: "example.com" }] }],
    ["inner", { fields: [{ name: "tag", value: "{{each.index}}" }] }],
    ["fetch", { params: { method: "POST", url: "https://example.com", body: { steps: "input.json" } } }],
  ])("%s with %j", (node, data) => {
    expect(found(node, data)).toEqual([]);
  });
});

test("names with signs of patterns, and long texts of signs, are checked in linear time", () => {
  for (const jsonata of ["$a\\", "$a\\(1)", "$a$b.c", `$x${"\\".repeat(9)}(1)`]) {
    expect(found("query", { jsonata }).join()).toMatch(/UNDEFINED_VARIABLE|SYNTAX_ERROR/);
  }
  for (const sign of [":", "%", "{a", "$(", "[[", "{%if", "{ ", "@{body("]) {
    const body = `x${sign.repeat(Math.floor(200_000 / sign.length))}`;
    const params = { method: "POST", url: "https://example.com", body };
    expect(found("fetch", { params }), sign).toEqual([]);
  }
});
