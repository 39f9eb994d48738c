import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

// A parser that is not ours reads what was written: whatever the value is, the structure is that of a harmless value.

const SPECIAL = [
  ..."<>&\"'`=/\\!?#:;,.()[]{}|*_~+-@% \t\n\r\u0000\u2028ab",
  ...[
    "<b>",
    "</b>",
    "</p>",
    "-->",
    "<!--",
    "<script>",
    "</script>",
    "</style>",
    "</title>",
    "javascript:",
    " onclick=",
  ],
  ...["]]>", "<![CDATA[", "&lt;", "&#60;", "%3C", "..", "//", '" x="', "' x='", "\\u003c", "\\", "é", "🎉", "\ud800"],
];

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

function randomText(random: (below: number) => number): string {
  return Array.from({ length: 1 + random(8) }, () => SPECIAL[random(SPECIAL.length)] ?? "").join("");
}

/** Writes a text with a value; null if its place can't hold the value. */
function write(place: "html" | "json" | "xml" | "form", text: string, v: string): string | null {
  try {
    return String(resolveParams({ text }, { text: { place } }, { v }, templateBudget(), "params").text);
  } catch (error) {
    if (error instanceof StepError) return null;
    throw error;
  }
}

/** The part of the parser that the test uses. The package has no types. */
type Dom = new (html: string) => { window: { DOMParser: typeof DOMParser } };
const { JSDOM } = createRequire(import.meta.url)("jsdom") as { JSDOM: Dom };
const parser = new new JSDOM("").window.DOMParser();

/** Lists the elements of a document with the names of their attributes, and comments. */
function outline(node: Node): string {
  const element = node as Element;
  const names = node.nodeType === 1 ? Array.from(element.attributes, ({ name }) => name).join(" ") : "";
  const children = Array.from(node.childNodes).filter(({ nodeType }) => nodeType !== 3 && nodeType !== 4);
  return `${node.nodeName}[${names}](${children.map(outline).join("")})`;
}

const HTML = [
  "<p>{{v}}</p><i>x</i>",
  "<p>a<b>{{v}}{{v}}</b> {{v}}</p>",
  '<p title="{{v}}" id="x">y</p>',
  "<p title='{{v}}' id='x'>y</p>",
  "<p title={{v}} id=x>y</p>",
  '<a href="{{v}}">y</a>',
  '<a href="https://h/a/{{v}}/b?x={{v}}#{{v}}">y</a>',
  "<a href='mailto:{{v}}'>y</a>",
  "<a href=https://h/?{{v}}>y</a>",
  '<b style="color: {{v}}" onclick="f(\'{{v}}\')">y</b>',
  "<!-- {{v}} --><b>{{v}}</b>",
  "<script>let a = '{{v}}', b = {{v}};</script><b>y</b>",
  "<style>p { color: {{v}} }</style><b>y</b>",
  "<title>{{v}}</title><b>{{v}}</b>",
  "<textarea>{{v}}</textarea><b>{{v}}</b>",
  "<table><tr><td>{{v}}<td title={{v}}></table>",
  "a < b {{v}} <b x='1'y=\"2\"z>{{v}}</b ><br/>{{v}}",
];

describe.each(HTML)("%s", (template) => {
  test("has the elements and attributes that its author wrote", () => {
    const random = randomFrom(7);
    const read = (html: string) => outline(parser.parseFromString(html, "text/html"));
    const expected = read(write("html", template, "x") ?? "");
    let written = 0;
    for (let round = 0; round < 400; round += 1) {
      const v = randomText(random);
      const html = write("html", template, v);
      if (html === null) continue;
      written += 1;
      if (read(html) !== expected) expect({ v, html, outline: read(html) }).toBe(expected);
    }
    expect(written).toBeGreaterThan(50);
  });
});

test("the text that people see is the value", () => {
  const random = randomFrom(11);
  for (let round = 0; round < 500; round += 1) {
    const v = randomText(random).replace(/[\p{Cc}\p{Cs}]/gu, "x");
    const html = write("html", `<p title="{{v}}">{{v}}</p>`, v) ?? "";
    const p = parser.parseFromString(html, "text/html").querySelector("p");
    if (p?.textContent !== v || p.getAttribute("title") !== v) expect({ v, html }).toBe("shown as it is");
  }
});

test("a JSON text has the members that its author wrote, and the value as it is", () => {
  const random = randomFrom(13);
  for (let round = 0; round < 2_000; round += 1) {
    const v = randomText(random);
    const json = write("json", '{"a": "x {{v}}", "b": {{v}}, "c": ["{{v}}"]}', v) ?? "";
    const read = JSON.parse(json) as { a: string; b: unknown; c: string[] };
    if (read.a !== `x ${v}` || read.c[0] !== v || Object.keys(read).join() !== "a,b,c") {
      expect({ v, json }).toBe("the author's members");
    }
  }
});

test.each([
  "<r><a>{{v}}</a><b x=\"{{v}}\" y='{{v}}'/></r>",
  "<r><![CDATA[{{v}}]]><b/></r>",
  "<r><![CDATA[a]{{v}}]]]><b/></r>",
  "<r><!-- {{v}} --><b>{{v}}</b></r>",
])("an XML text %s has the elements that its author wrote", (template) => {
  const random = randomFrom(17);
  const read = (xml: string) => outline(parser.parseFromString(xml, "text/xml"));
  const expected = read(write("xml", template, "x") ?? "");
  for (let round = 0; round < 1_000; round += 1) {
    // XML has no way to write most control characters.
    const v = randomText(random).replace(/[\p{Cc}\p{Cs}]/gu, "x");
    const xml = write("xml", template, v) ?? "";
    if (read(xml) !== expected) expect({ v, xml, outline: read(xml) }).toBe(expected);
  }
});

test("a form has the fields that its author wrote, and the value as it is", () => {
  const random = randomFrom(19);
  for (let round = 0; round < 2_000; round += 1) {
    const v = randomText(random).toWellFormed();
    const form = new URLSearchParams(write("form", "a={{v}}&b=x{{v}}", v) ?? "");
    if (form.get("a") !== v || form.get("b") !== `x${v}` || [...form].length !== 2) {
      expect({ v, form: [...form] }).toBe("the author's fields");
    }
  }
});
