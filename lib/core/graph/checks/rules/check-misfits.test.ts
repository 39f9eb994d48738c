import { expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { checkMisfits } from "#lib/core/graph/checks/rules/check-misfits";
import { indexGraph } from "#lib/core/graph/edges";
import { shapesOf } from "#lib/core/graph/node-shapes";

const position = { x: 0, y: 0 };

function misfits(params: Record<string, unknown>, connector = "http"): string[] {
  const properties = [
    { name: "order", type: "object" },
    { name: "text", type: "string" },
  ];
  const data = { connector, operation: "request", params: { method: "POST", url: "https://h/", ...params } };
  const definition: Definition = {
    nodes: [
      { id: "start", type: "action_input", position, data: { properties } },
      { id: "call", type: "connector", position, data },
    ],
    edges: [{ id: "e", source: "start", target: "call" }],
  };
  const index = indexGraph(definition);
  return checkMisfits(index, shapesOf(index)).map(({ message, severity }) => `${severity}: ${message}`);
}

const typed = (type: unknown, body: unknown) => misfits({ headers: { "Content-TYPE": type }, body });

test.each<[unknown, unknown]>([
  ["text/xml", { a: "{{action_input.text}}" }],
  ["Application/SOAP+xml; charset=utf-8", [1]],
  ["application/x-www-form-urlencoded", [1]],
  ["application/json", "plain text"],
  ["multipart/form-data", "text"],
])("a body that %s can't hold is an error before publishing: %j", (type, body) => {
  expect(typed(type, body)).toEqual([expect.stringMatching(/^error: call: params\.body is .* can't be sent as /)]);
});

test.each<[unknown, unknown]>([
  ["text/xml", "<a>{{action_input.text}}</a>"],
  ["text/xml", "{{action_input.text}}"],
  ["text/xml", null],
  ["text/xml", undefined],
  ["{{action_input.text}}", { a: 1 }],
  [null, { a: 1 }],
  ["application/json", '{"a":"{{action_input.text}}"}'],
  ["application/json", '{"a":1}'],
  ["application/x-www-form-urlencoded", { a: [1] }],
  ["image/png", { data: "AQI=", filename: "a.png" }],
])("a body that %s can hold, or may hold, is none: %j", (type, body) => expect(typed(type, body)).toEqual([]));

test("only the body of an HTTP request is checked, and data of any shape is accepted", () => {
  const params = { headers: { "content-type": "text/xml" }, body: { a: 1 } };
  expect(misfits(params, "telegram")).toEqual([]);
  for (const broken of [{ headers: [] }, { headers: null }, { headers: "x", body: {} }]) {
    expect(misfits(broken)).toEqual([]);
  }
});
