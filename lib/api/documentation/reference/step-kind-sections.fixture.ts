import { code, codes, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import {
  CONDITION_OPERATORS,
  type ConditionOperator,
  UNARY_OPERATORS,
} from "#lib/contract/workflow/condition-operators";
import { describeNode, listWorkTypes } from "#lib/core/steps/describe-nodes";
import { printSchema } from "#lib/core/steps/print-schema";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";

export function stepKindTable(): string {
  const rows = STEP_TYPES.map((type) => {
    const { title, description } = STEP_KINDS[type];
    return [`[${title}](#${anchorOf(title)})`, code(type), description];
  });
  return markdownTable(["step", "type", "what it does"], rows);
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

/** Returns a section for each kind: data, branches, output, and an example. */
export function stepKindSections(): string {
  return STEP_TYPES.map((type) => {
    const { title, category, max, effects } = STEP_KINDS[type];
    const {
      description,
      handles,
      has_failed_handle: hasFailed,
      output,
      templates,
      data_schema: schema,
      example,
    } = describeNode(type);
    const canContinue = listWorkTypes().includes(type);
    const rows = [
      ["type", code(type)],
      ["category", category],
      ["data", code(printSchema(schema))],
      ["branches", handles.length === 0 ? "one" : codes(handles)],
      ["branch `failed`", hasFailed ? "yes" : "no"],
      ["output", output.startsWith("{") ? code(output) : output.replace(/\{\{.*?\}\}/g, code)],
      ["expressions in", templates.length === 0 ? "none" : codes(templates)],
      ["calls a service or waits", { none: "no", waits: "waits", calls: "calls" }[effects]],
      ["retries, continue on failure", canContinue ? "yes" : "no"],
      ...(max === null ? [] : [["per workflow", `at most ${max}`]]),
    ];
    const json = `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
    return [`## ${title}`, description, markdownTable(["", ""], rows), json].join("\n\n");
  }).join("\n\n");
}

const OPERATOR_MEANINGS: Record<ConditionOperator, string> = {
  equals: "The values are equal",
  not_equals: "The values are not equal",
  greater_than: "Left is greater than right",
  greater_or_equal: "Left is greater than right, or neither is greater",
  less_than: "Left is less than right",
  less_or_equal: "Left is less than right, or neither is less",
  contains: "A text contains the text, a list contains the item, or an object has the key",
  not_contains: "The opposite of `contains`",
  starts_with: "The text starts with the text",
  ends_with: "The text ends with the text",
  matches: "The regular expression matches anywhere in the text",
  is_empty: "Null, or an empty text, list or object",
  is_not_empty: "The opposite of `is_empty`",
  is_true: "`true`, or a text that spells it",
  is_false: "`false`, or a text that spells it",
  exists: "Not null",
};

export function operatorTable(): string {
  const rows = CONDITION_OPERATORS.map((name) => [
    code(name),
    UNARY_OPERATORS.includes(name) ? "left" : "left and right",
    OPERATOR_MEANINGS[name],
  ]);
  return markdownTable(["operator", "operands", "true if"], rows);
}
