import { expect, test } from "vitest";
import { EXPRESSION_FUNCTIONS } from "#lib/core/expressions/functions/expression-functions";
import { completionPlaceAt } from "@/components/canvas/expressions/editor/completion-place";
import { listCompletions, writeChoice } from "@/components/canvas/expressions/editor/list-completions";

const field = (expression: string, type: string, sample?: string) => ({
  expression,
  type,
  description: "",
  ...(sample === undefined ? {} : { sample }),
});
const SOURCES = [
  { label: "Fetch order", fields: [field("{{fetch.body}}", "object"), field("{{fetch.status}}", "integer", "200")] },
  { label: "Action Input", fields: [field("{{action_input.status}}", "string")] },
];

/** Lists the choices at the `|` of a text. */
function choicesAt(marked: string, isAsked = false) {
  const text = marked.replace("|", "");
  const place = completionPlaceAt(text, marked.indexOf("|"), isAsked);
  if (place === null) throw new Error("nothing can be completed there");
  const choices = listCompletions(SOURCES, place, isAsked);
  /** Writes a choice, with the caret as `|`. */
  const write = (label: string): string => {
    const choice = choices.find((each) => each.label === label);
    if (choice === undefined) throw new Error(`${label} is not offered`);
    const { from, to, insert, caret } = writeChoice(choice, place, text);
    const written = text.slice(0, from) + insert + text.slice(to);
    return `${written.slice(0, caret)}|${written.slice(caret)}`;
  };
  return { labels: choices.map(({ label }) => label), choices, write };
}

test("values are offered with their type, step and last value, nearest step first", () => {
  const { choices } = choicesAt("{{|");
  expect(choices.map(({ text, detail, sample }) => [text, detail, sample])).toEqual([
    ["fetch.body", "object · Fetch order", null],
    ["fetch.status", "integer · Fetch order", "200"],
    ["action_input.status", "string · Action Input", null],
  ]);
});

test("what starts with the typed text comes first, and a step's name finds its values", () => {
  expect(choicesAt("{{action|").labels).toEqual(["action_input.status"]);
  expect(choicesAt("{{fetch o|rder").labels).toEqual([]);
  expect(choicesAt("{{order|").labels).toEqual(["fetch.body", "fetch.status"]);
  expect(choicesAt("{{f|").labels.slice(0, 3)).toEqual([
    "fetch.body",
    "fetch.status",
    "format_number(number, decimals?, thousands?, point?)",
  ]);
});

test("functions are offered with signature and example once a letter is typed, or all of them when asked for", () => {
  const { choices } = choicesAt("{{roun|");
  expect(choices).toMatchObject([{ kind: "function", label: "round(number, decimals?)" }]);
  expect(choices[0]?.description).toContain("round(2.345, 2) → 2.35");
  expect(choicesAt("{{|", true).labels).toHaveLength(
    SOURCES.flatMap(({ fields }) => fields).length + EXPRESSION_FUNCTIONS.length,
  );
});

test("after a value, ?? is offered alone", () => {
  const { labels, write } = choicesAt("{{fetch.status |}}");
  expect(labels).toEqual(["value ?? fallback"]);
  expect(write("value ?? fallback")).toBe("{{fetch.status ?? |}}");
  expect(choicesAt("{{fetch.status ?|}}").write("value ?? fallback")).toBe("{{fetch.status ?? |}}");
});

test("a chosen value replaces the whole token and closes its expression", () => {
  expect(choicesAt("Is {{st|").write("fetch.status")).toBe("Is {{fetch.status}}|");
  expect(choicesAt("Is {{st|atus.x}}!").write("fetch.status")).toBe("Is {{fetch.status}}|!");
  expect(choicesAt("{{upper(st|atus.x)}}").write("fetch.status")).toBe("{{upper(fetch.status|)}}");
  expect(choicesAt("Is |", true).write("fetch.status")).toBe("Is {{fetch.status}}|");
});

test("a chosen function is written with its parentheses, unless it has them, and the caret between them", () => {
  expect(choicesAt("{{upp|").write("upper(text)")).toBe("{{upper(|)}}");
  expect(choicesAt("{{upp|(a)}}").write("upper(text)")).toBe("{{upper(|a)}}");
  expect(choicesAt("|", true).write("upper(text)")).toBe("{{upper(|)}}");
});
