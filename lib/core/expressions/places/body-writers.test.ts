import { describe, expect, test } from "vitest";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const write =
  (place: "json" | "graphql" | "xml" | "form" | "multipart") => (body: string, scope: Record<string, unknown>) =>
    resolveParams({ body }, { body: { place } }, scope, templateBudget(), "params").body;

describe("a JSON text", () => {
  const jsonOf = write("json");

  test.each([
    ['{"name": "{{v}}"}', 'x", "admin": true, "y": "', { name: 'x", "admin": true, "y": "' }],
    ['{"name": "{{v}}"}', "a\nb\\\u0000\u2028", { name: "a\nb\\\u0000\u2028" }],
    ['{"name": "a \\"{{v}}\\" b"}', 'c"', { name: 'a "c"" b' }],
    ['{"name": "{{v}}"}', { a: 'x"' }, { name: '{"a":"x\\""}' }],
    ['{"n": {{v}}}', 7, { n: 7 }],
    ['{"n": {{v}}}', null, { n: null }],
    ['{"n": {{v}}}', [1, "a"], { n: [1, "a"] }],
    ['{"n": {{v}}}', "7", { n: 7 }],
    ['{"n": {{v}}}', '{"a": 1}', { n: { a: 1 } }],
    ['{"n": {{v}}}', '1, "admin": true', { n: '1, "admin": true' }],
    ['{"n": {{v}}}', "text", { n: "text" }],
    ['{"n": {{gone}}{{v}}}', 7, { n: 7 }],
    ['{"n": {{json(v)}}}', 'a"b', { n: 'a"b' }],
    ['{"{{v}}": 1}', 'a": 2, "b', { 'a": 2, "b': 1 }],
    ['{"name": "{{replace(v, \'"\', \'\\\\"\')}}"}', 'a"b', { name: 'a"b' }],
  ])("%s with %j", (template, v, value) => expect(JSON.parse(String(jsonOf(template, { v })))).toEqual(value));

  test("stays byte for byte if the value needs no escape", () => {
    expect(jsonOf('{ "a":"{{v}}",\n "b":{{n}} }', { v: "Ада / 1", n: -1.5 })).toBe('{ "a":"Ада / 1",\n "b":-1.5 }');
    expect(jsonOf("{{v}}", { v: '{"a": 1}' })).toBe('{"a": 1}');
    expect(jsonOf('{"a": "{{raw(v)}}"}', { v: '", "b": "' })).toBe('{"a": "", "b": ""}');
  });
});

describe("an XML text", () => {
  const xmlOf = write("xml");

  test.each([
    ["<name>{{v}}</name>", "</name><role>admin</role>", "<name>&lt;/name&gt;&lt;role&gt;admin&lt;/role&gt;</name>"],
    ["<name>{{v}}</name>", 'O\'Brien & "co"', '<name>O\'Brien &amp; "co"</name>'],
    ["<a b=\"{{v}}\" c='{{v}}'/>", "x\" y='1", "<a b=\"x&quot; y=&apos;1\" c='x&quot; y=&apos;1'/>"],
    ['<a b="x>{{v}}"/>{{v}}', '"', '<a b="x>&quot;"/>"'],
    ["<![CDATA[{{v}}]]>", "a < b & c", "<![CDATA[a < b & c]]>"],
    ["<![CDATA[{{v}}]]>", "x]]><b/>", "<![CDATA[x]]]]><![CDATA[><b/>]]>"],
    ["<![CDATA[a]]{{v}}]]>", "><b/>", "<![CDATA[a]]]]><![CDATA[><b/>]]>"],
    ["<!-- {{v}} --><a>{{v}}</a>", "--><b/>", "<!-- - -&gt;<b/&gt; --><a>--&gt;&lt;b/&gt;</a>"],
    ["<a>{{raw(v)}}</a>", "<b/>", "<a><b/></a>"],
    ["<a>{{escape_html(v)}}</a>", "<b/>", "<a>&lt;b/&gt;</a>"],
    ["{{v}}", "<a/>", "<a/>"],
  ])("%s with %j", (template, v, written) => expect(xmlOf(template, { v })).toBe(written));
});

describe("a form as a text", () => {
  const formOf = write("form");

  test.each([
    ["a={{v}}&b=1", "x&admin=true", "a=x%26admin%3Dtrue&b=1"],
    ["a={{v}}", "a b+c", "a=a%20b%2Bc"],
    ["a={{encode_url(v)}}", "a b", "a=a%20b"],
    ["{{v}}=1", "a=b", "a%3Db=1"],
    ["{{raw(v)}}&b=1", "x=1&y=2", "x=1&y=2&b=1"],
    ["{{v}}", "x=1&y=2", "x=1&y=2"],
    ["a={{v}}", "Ada", "a=Ada"],
  ])("%s with %j", (template, v, written) => expect(formOf(template, { v })).toBe(written));
});

describe("a multipart body as a text", () => {
  const bodyOf = write("multipart");
  const template = '--b1\r\nContent-Disposition: form-data; name="{{n}}"\r\n\r\n{{v}}\r\n--b1--\r\n';

  test("keeps a value in its part, whatever lines it has", () => {
    const written = bodyOf(template, { n: 'a"b', v: 'x\r\n\r\n"--b"\r\n' });
    expect(written).toBe(
      '--b1\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\nx\r\n\r\n"--b"\r\n\r\n--b1--\r\n',
    );
    expect(bodyOf("{{v}}", { v: "--b1--" })).toBe("--b1--");
    expect(bodyOf("--b1\n\n{{raw(v)}}\n--b1--", { v: "x\n--b1\n\ny" })).toContain("y");
  });

  test.each<[string, Record<string, string>]>([
    [
      "{{v}} contains the boundary",
      { n: "a", v: 'x\r\n--b1\r\nContent-Disposition: form-data; name="role"\r\n\r\nadmin' },
    ],
    ["{{v}} contains the boundary", { n: "a", v: "x\r\n--b1--" }],
    ["{{n}} contains the boundary", { n: "a\r\n--b1", v: "x" }],
    ["{{n}} must be one line", { n: 'a"\r\nContent-Type: text/html\r\n\r\n', v: "x" }],
    ["{{n}} must be one line", { n: "a\nb", v: "x" }],
  ])("refuses a value that would end its place: %s", (message, scope) => {
    expect(() => bodyOf(template, scope)).toThrow(`body: ${message}`);
  });
});

describe("a GraphQL document", () => {
  const graphqlOf = write("graphql");

  test.each([
    ['{ user(name: "{{v}}") { id } }', 'x") { secret } #', '{ user(name: "x\\") { secret } #") { id } }'],
    ['{ user(name: "{{v}}") { id } }', "a\nb\\", '{ user(name: "a\\nb\\\\") { id } }'],
    ['{ user(name: "a \\"{{v}}\\" {{v}}") }', 'b"', '{ user(name: "a \\"b\\"\\" b\\"") }'],
    ["{ user(id: {{v}}) { id } }", 7, "{ user(id: 7) { id } }"],
    ["{ user(id: {{v}}) { id } }", "7", "{ user(id: 7) { id } }"],
    ["{ user(id: {{v}}) { id } }", "7) { secret } #", '{ user(id: "7) { secret } #") { id } }'],
    ["{ user(id: {{v}}) { id } }", null, "{ user(id: null) { id } }"],
    ["{ user(role: {{v}}) { id } }", "ADMIN", "{ user(role: ADMIN) { id } }"],
    ["{ users(ids: {{v}}) { id } }", ["a", "b"], '{ users(ids: ["a","b"]) { id } }'],
    ['{ a(x: "", y: {{v}}) }', 'b"', '{ a(x: "", y: "b\\"") }'],
    ['{ a(x: """{{v}}""") }', 'b""") { secret }', '{ a(x: """b\\""") { secret }""") }'],
    ['{ a(x: """{{v}}""") }', 'b"', '{ a(x: """b"\n""") }'],
    ['{ a(x: """{{v}}""") }', "b\\", '{ a(x: """b\\\n""") }'],
    ['{ a(x: """ "{{v}}""") }', '""', '{ a(x: """ "\n""\n""") }'],
    ["# {{v}}\n{ a(x: {{v}}) }", "b\n{ secret }", '# b { secret }\n{ a(x: "b\\n{ secret }") }'],
    ["{{v}}", "{ me { id } }", "{ me { id } }"],
  ])("%s with %j", (template, v, written) => expect(graphqlOf(template, { v })).toBe(written));
});
