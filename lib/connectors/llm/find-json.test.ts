import { describe, expect, it } from "vitest";
import { parseObject } from "#lib/connectors/llm/output-schema";

const SCHEMA = {
  type: "object",
  properties: { category: { type: "string" }, amounts: { type: "array" } },
  required: ["category"],
};
const OBJECT = '{"category":"refund","amounts":[{"n":1}]}';
const read = (text: string, schema: Record<string, unknown> = SCHEMA) => parseObject(text, schema);

describe("the object in a model's text is found", () => {
  it.each([
    ["after prose with braces and a fence", `I fill {category} and {amounts: []}.\n\`\`\`json\n${OBJECT}\n\`\`\``],
    ["in a fence that is not closed", `Here it is:\n\`\`\`json\n${OBJECT}`],
    ["in a fence on one line", `\`\`\`json ${OBJECT} \`\`\``],
    ["in a fence of tildes", `~~~\n${OBJECT}\n~~~`],
    ["inside prose", `Sure! The result is ${OBJECT}. Is there {anything} else?`],
    ["before prose with quotes", `${OBJECT}\nIt's "done", isn't it?`],
    ["next to an object that does not match", `Given {"id":7} and [1], I answer:\n${OBJECT}`],
    ["in the second of several fences", `\`\`\`\n{"id":7}\n\`\`\`\nso\n\`\`\`json\n${OBJECT}\n\`\`\``],
    ["twice, if both are the same", `${OBJECT}\n\nAgain:\n\`\`\`\n{"amounts":[{"n":1}], "category":"refund"}\n\`\`\``],
    ["after thoughts with a draft", `<think>\nMaybe {"category":"other"}?\n</think>\n${OBJECT}`],
    ["after thoughts whose start is in the prompt", `Maybe {"category":"other"}?\n</think>\n\n${OBJECT}`],
    ["after two blocks of thoughts", `<think>a</think>\n<think>{"category":"b"}</think>${OBJECT}`],
    ["after other marks of thoughts", `<thinking>{"category":"b"}</thinking> Answer: ${OBJECT}`],
    ["in the last channel", `<|channel|>analysis<|message|>{"category":"b"}<|channel|>final<|message|>${OBJECT}`],
    ["after a byte order mark", `\uFEFF${OBJECT}`],
    ["after a link and a footnote", `See [the docs](https://a.example/{id}) [1].\n${OBJECT}`],
    ["as a JSON text with its quotes escaped", JSON.stringify(OBJECT)],
    ["as an escaped text with a fence in it", JSON.stringify(`\`\`\`json\n${OBJECT}\n\`\`\``)],
    ["in a tag of its own", `<answer>\n${OBJECT}\n</answer>`],
    ["in bold", `**Answer:** ${OBJECT}`],
    ["twice in one fence", `\`\`\`json\n${OBJECT}\n${OBJECT}\n\`\`\``],
    ["after a list of other objects", `Given [{"id":1},{"id":2}]: ${OBJECT}`],
    ["after a dictionary of Python", `{'category': 'x', 'inner': {"category":"y"}}\n${OBJECT}`],
  ])("%s", (_where, text) => {
    expect(read(text)).toEqual({ category: "refund", amounts: [{ n: 1 }] });
  });

  it.each([
    ["braces", '{"category":"a } b { c"}', "a } b { c"],
    ["quotes and backslashes", '{"category":"a \\" } \\\\"}', 'a " } \\'],
    ["a fence", '{"category":"```json\\n{}\\n```"}', "```json\n{}\n```"],
    ["the end of thoughts", '{"category":"</think>"}', "</think>"],
  ])("although a text in it has %s", (_what, json, category) => {
    expect(read(json)).toEqual({ category });
    expect(read(`Here: ${json} Done.`)).toEqual({ category });
  });
});

describe("no object is guessed", () => {
  it.each([
    ["two that differ", `${OBJECT}\nNo, rather:\n{"category":"question"}`, "several different objects"],
    ["a fence and prose that differ", `\`\`\`\n${OBJECT}\n\`\`\`\nWait: {"category":"question"}`, "several different"],
    ["one that is cut off", '{"category":"refund","amounts":[{"category":"inner"}', "not JSON"],
    ["a trailing comma", '{"items":[{"category":"inner"},],"category":"x",}', "not JSON"],
    ["a comment", '{ // note\n "a":{"category":"inner"} }', "not JSON"],
    ["JSON5", '{a: {"category":"inner"}}', "not JSON"],
    ["an element of a list", `Here: [${OBJECT}]`, "must be object"],
    ["a part of another object", `Here: {"result":${OBJECT}}`, "must have required property 'category'"],
    ["a name in another case", '{"Category":"refund"}', "must have required property 'category'"],
    ["a number as text", '{"category":7}', "must be string"],
    ["a list at the top", `[${OBJECT}]`, "must be object"],
    ["a JSON text in a JSON text", JSON.stringify(JSON.stringify(OBJECT)), "must be object"],
    ["two in one fence that differ", `\`\`\`\n${OBJECT}\n{"category":"b"}\n\`\`\``, "several different"],
    ["thoughts without an end", `<think>${OBJECT}`, "not JSON"],
    ["nothing", "I can't do that.", "not JSON"],
  ])("from %s", (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it("however long a text of braces is", () => {
    expect(() => read("{[".repeat(500_000))).toThrow("not JSON");
    expect(() => read('{"a":'.repeat(200_000))).toThrow("not JSON");
    expect(() => read('{"a":1} '.repeat(200_000))).toThrow("category");
  });
});
