import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const htmlOf = (html: string, scope: Record<string, unknown>) =>
  resolveParams({ html }, { html: { place: "html" } }, scope, templateBudget(), "params").html;

describe("a value is text", () => {
  test.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["Tom & Ann", "Tom &amp; Ann"],
    ["&lt;b&gt;", "&amp;lt;b&amp;gt;"],
    ["<!-- x -->", "&lt;!-- x --&gt;"],
    ['O\'Brien said "hi"', 'O\'Brien said "hi"'],
    ["Привет, 你好 🎉", "Привет, 你好 🎉"],
    ["1 < 2", "1 &lt; 2"],
    ["a\nb", "a\nb"],
    [12.5, "12.5"],
    [false, "false"],
    [null, ""],
    [{ a: "<b>" }, '{"a":"&lt;b&gt;"}'],
  ])("%j", (v, written) => {
    expect(htmlOf("<p>{{v}}</p>", { v })).toBe(`<p>${written}</p>`);
    expect(htmlOf("<b class='x'>Dear</b> {{v}} & co <br>", { v })).toBe(`<b class='x'>Dear</b> ${written} & co <br>`);
  });

  test("but a field that is one expression is the whole document", () => {
    const v = "<p>Hello</p>";
    expect(htmlOf("{{v}}", { v })).toBe(v);
    expect(htmlOf("{{ v ?? other }}", { v })).toBe(v);
    expect(htmlOf("{{v}}\n", { v })).toBe("&lt;p&gt;Hello&lt;/p&gt;\n");
    expect(htmlOf("{{escape_html(v)}}", { v })).toBe("&lt;p&gt;Hello&lt;/p&gt;");
    expect(htmlOf("{{raw(v)}}", { v: "<b>Hello</b>" })).toBe("<b>Hello</b>");
    expect(htmlOf("{{v}}", { v: null })).toBeNull();
  });

  test("in a comment, a title, and a text area, it does not end them", () => {
    expect(htmlOf("<!-- {{v}} -->", { v: "--><b>" })).toBe("<!-- --&gt;&lt;b&gt; -->");
    expect(htmlOf("<!--[if mso]><b>{{v}}</b><![endif]-->", { v: "a<b" })).toBe(
      "<!--[if mso]><b>a&lt;b</b><![endif]-->",
    );
    expect(htmlOf("<title>{{v}}</title>", { v: "</title><b>" })).toBe("<title>&lt;/title&gt;&lt;b&gt;</title>");
    expect(htmlOf("<textarea>a < b {{v}}</textarea>{{v}}", { v: "</textarea>" })).toBe(
      "<textarea>a < b &lt;/textarea&gt;</textarea>&lt;/textarea&gt;",
    );
  });
});

describe("a value in an attribute does not end it", () => {
  test.each([
    ['<p title="{{v}}">', 'a" onclick="alert(1)', '<p title="a&quot; onclick=&quot;alert(1)">'],
    ["<p title='{{v}}'>", "a' onclick='alert(1)", "<p title='a&#39; onclick=&#39;alert(1)'>"],
    ["<p title={{v}}>", "a onclick=alert(1)", "<p title=a&#32;onclick&#61;alert(1)>"],
    ["<p title={{v}} class=x>", "", '<p title="" class=x>'],
    ['<p title = "{{v}}">', 'a"b', '<p title = "a&quot;b">'],
    ['<P TITLE="x>y {{v}}">', 'a"b', '<P TITLE="x>y a&quot;b">'],
    ["<p data-x='1'title=\"{{v}}\">", "a'b", "<p data-x='1'title=\"a'b\">"],
    ['<p title="{{v}}">{{v}}</p>', 'a"b', '<p title="a&quot;b">a"b</p>'],
  ])("%s with %j", (template, v, written) => expect(htmlOf(template, { v })).toBe(written));

  test("inside of a tag, a value is a name, and nothing else", () => {
    expect(htmlOf("<h{{v}}>x</h{{v}}>", { v: 2 })).toBe("<h2>x</h2>");
    expect(htmlOf("<input {{v}}>", { v: "disabled" })).toBe("<input disabled>");
    for (const template of ["<p {{v}}>", "<{{v}}>", "<p title{{v}}='x'>", "<!DOCTYPE {{v}}>"]) {
      expect(() => htmlOf(template, { v: "x onclick=alert(1)" })).toThrow("html: {{v}} must be a name");
      expect(() => htmlOf(template, { v: "x>y" })).toThrow(StepError);
    }
  });
});

describe("a value in a link is encoded for its place in the URL", () => {
  test.each([
    ['<a href="https://h/o/{{v}}">', "../x?y", '<a href="https://h/o/..%2Fx%3Fy">'],
    ['<a href="https://h/?q={{v}}&amp;x=1">', "a&admin=1", '<a href="https://h/?q=a%26admin%3D1&amp;x=1">'],
    ['<a href="https://h/o/{{v}}">', '" onclick="x', '<a href="https://h/o/%22%20onclick%3D%22x">'],
    ["<a href='https://h/o/{{v}}'>", "it's", "<a href='https://h/o/it&#39;s'>"],
    ["<a href=https://h/o/{{v}}>x", "a b>c", "<a href=https://h/o/a%20b%3Ec>x"],
    ['<a href="{{v}}">', "https://h/a?b=1&c=2", '<a href="https://h/a?b=1&amp;c=2">'],
    ['<a href="{{v}}/o/1">', "https://h", '<a href="https://h/o/1">'],
    ['<a href="/o/{{v}}">', "a b", '<a href="/o/a%20b">'],
    ['<a href="#{{v}}">', "a b", '<a href="#a%20b">'],
    ['<a href="o-{{v}}">', "javascript:x", '<a href="o-javascript%3Ax">'],
    ['<a href="mailto:{{v}}">', "ada+x@example.com", '<a href="mailto:ada+x@example.com">'],
    ['<a href="mailto:{{v}}">', "a@x,b@y?bcc=c@z", '<a href="mailto:a@x%2Cb@y%3Fbcc%3Dc@z">'],
    ['<a href="tel:{{v}}">', "+49 30 1", '<a href="tel:+49%2030%201">'],
    ['<a href="tg://user?id={{v}}">', "1&x", '<a href="tg://user?id=1%26x">'],
    ['<img src="cid:{{v}}">', "logo@x", '<img src="cid:logo@x">'],
    ['<img src="{{v}}">', "data:image/png;base64,AA==", '<img src="data:image/png;base64,AA==">'],
    ['<a href="https://h/o/{{v}}">', "", '<a href="https://h/o/">'],
    ['<a href="https://h/o/{{encode_url(v)}}">', "a/b", '<a href="https://h/o/a%2Fb">'],
    ['<a href="https://h{{raw(v)}}">', "/a/b?c", '<a href="https://h/a/b?c">'],
    ['<a href="https://h/o/{{escape_html(v)}}">', "a/b", '<a href="https://h/o/a/b">'],
    ['<p title="https://h/o/{{v}}">', "a/b", '<p title="https://h/o/a/b">'],
    [
      '<a href="https://h/o/1">{{v}}</a> <a href="https://h/{{v}}">',
      "a/b",
      '<a href="https://h/o/1">a/b</a> <a href="https://h/a%2Fb">',
    ],
  ])("%s with %j", (template, v, written) => expect(htmlOf(template, { v })).toBe(written));

  test.each([
    ['<a href="{{v}}">', "javascript:alert(1)"],
    ['<a href="{{v}}">', " JaVa\tScript:alert(1)"],
    ['<a href="{{v}}">', "\u0001javascript:alert(1)"],
    ["<a href={{v}}>", "vbscript:x"],
    ['<iframe src="{{v}}">', "data:text/html,<script>"],
    ['<img src="{{v}}">', "data:image/svg+xml,<svg onload=x>"],
    ['<form action="{{v}}x">', "javascript:"],
  ])("%s refuses %j, which is a script", (template, v) => expect(() => htmlOf(template, { v })).toThrow("is a script"));

  test("a value can't lead to another host or folder", () => {
    expect(() => htmlOf('<a href="https://h{{v}}/x">', { v: ".evil.example" })).toThrow("must be a host name");
    expect(() => htmlOf('<a href="https://h/a/{{v}}/b">', { v: ".." })).toThrow("makes a segment of dots");
    expect(htmlOf('<a href="https://{{v}}/x">', { v: "h.example:8443" })).toBe('<a href="https://h.example:8443/x">');
  });
});

describe("a value in a script or a style sheet is no code", () => {
  test.each([
    ['<script type="application/ld+json">{"name": "{{v}}"}</script>', 'Ada "x"', "Ada \\u0022x\\u0022"],
    ['<script>let a = "{{v}}"</script>', "</script>", "\\u003c/script\\u003e"],
    ["<script>let a = {{v}}</script>", "alert(1)", "alert\\u00281\\u0029"],
    ["<b onclick=\"f('{{v}}')\">", "');g('", "\\u0027\\u0029\\u003bg\\u0028\\u0027"],
    ['<p style="color: {{v}}">', "red;background:url(//x)", "red\\3b background\\3a url\\28 \\2f \\2f x\\29 "],
    ['<p style="color: {{v}}">', "rgb(1, 2, 3)", "rgb(1, 2, 3)"],
    ['<p style="color: {{v}}">', "#ff0000", "#ff0000"],
    ["<style>p { color: {{v}} }</style>", "red}</style>", "red\\7d \\3c \\2f style\\3e "],
  ])("%s with %j", (template, v, written) => {
    expect(htmlOf(template, { v })).toBe(template.replace("{{v}}", written));
  });
});

describe("what the author writes stays byte for byte", () => {
  test.each([
    '<a href="https://h/?a=1&b=2">x & y</a><script>if (a < b) c()</script> <p style=\'a:"b"\'>',
    "a < b && c > d <3 </p",
    '<a href="javascript:void(0)">',
    "<a href='../../x'>",
  ])("%s", (text) => {
    expect(htmlOf(text, {})).toBe(text);
    expect(htmlOf(`${text}{{v}}`, { v: "" })).toBe(text);
    expect(htmlOf(`{{v}}${text}`, { v: "" })).toBe(text);
  });

  test("constants in an expression are the author's text", () => {
    expect(htmlOf('<p>{{v ?? "<i>none</i>"}}</p>', {})).toBe("<p><i>none</i></p>");
    expect(htmlOf('<p>{{v ?? "<i>none</i>"}}</p>', { v: "<b>" })).toBe("<p>&lt;b&gt;</p>");
    expect(htmlOf('<p>{{default(v, "<i>none</i>")}}</p>', {})).toBe("<p><i>none</i></p>");
    expect(htmlOf('<p>{{join(v, "<br>")}}', { v: ["<a>", "b"] })).toBe("<p>&lt;a&gt;<br>b");
    expect(htmlOf('<p>{{replace(v, "\\n", "<br>")}}', { v: "<a>\nb" })).toBe("<p>&lt;a&gt;<br>b");
    expect(htmlOf('<p>{{replace(replace(v, "\\r\\n", "\\n"), "\\n", "<br>")}}', { v: "<a>\r\nb" })).toBe(
      "<p>&lt;a&gt;<br>b",
    );
    expect(htmlOf('<p>{{replace(join(v, "\\n"), "\\n", "<br>")}}', { v: ["<a>", "b"] })).toBe("<p>&lt;a&gt;<br>b");
  });

  test("values that the author escapes by hand are not escaped twice", () => {
    const byHand = '{{replace(replace(replace(v, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")}}';
    expect(htmlOf(`<p>${byHand}</p>`, { v: "a & <b>" })).toBe("<p>a &amp; &lt;b&gt;</p>");
    expect(htmlOf("<p>{{escape_html(v)}}</p>", { v: `<'">` })).toBe("<p>&lt;&#39;&quot;&gt;</p>");
  });

  test("a value can't pretend to be the author's text", () => {
    const v = "\uFDD0\uFDD1<a>\nb";
    expect(htmlOf('<p>{{replace(v, "\\n", "<br>")}}', { v })).toBe("<p>\uFDD0\uFDD1&lt;a&gt;&lt;br&gt;b");
    expect(htmlOf('<p>{{join(v, "<br>")}}', { v: [{ x: "\uFDD0" }, "b"] })).toBe('<p>{"x":"\uFDD0"}&lt;br&gt;b');
  });
});

test("a value with tags is a warning, because its author may have meant them", () => {
  const notesOf = (html: string, v: unknown) => {
    const budget = templateBudget();
    resolveParams({ html }, { html: { place: "html" } }, { v }, budget, "params");
    return budget.unresolved;
  };
  const note = { code: "MARKUP_AS_TEXT", field: "params.html", path: "v", resolvedUntil: "v", has: "a text" };
  expect(notesOf("<body>{{v}}</body>", "<p>Hello</p>")).toEqual([note]);
  expect(notesOf("{{v}}", "<p>Hello</p>")).toEqual([]);
  expect(notesOf("<body>{{ upper(v) }}{{v}}</body>", "<br/>")).toEqual([
    { ...note, path: "upper(v)", resolvedUntil: "upper(v)" },
    note,
  ]);
  for (const v of ["1 < 2 > 0", "a & b", "<3", 7]) expect(notesOf("<p>{{v}}</p>", v)).toEqual([]);
  for (const html of ["{{raw(v)}}", "{{escape_html(v)}}", '<p title="{{v}}">'])
    expect(notesOf(html, "<p>")).toEqual([]);
});

test("a text of many thousand values is written in linear time", () => {
  const html = '<a href="https://h/{{a}}">{{a}}</a>'.repeat(5_000);
  expect(String(htmlOf(html, { a: "x/<" }))).toHaveLength(5_000 * '<a href="https://h/x%2F%3C">x/&lt;</a>'.length);
});
