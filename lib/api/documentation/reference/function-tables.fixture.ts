import { code, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import { EXAMPLE_DATA } from "#lib/core/expressions/functions/example-data.fixture";
import { EXPRESSION_FUNCTIONS, writeSignature } from "#lib/core/expressions/functions/expression-functions";
import { DATE_TOKENS } from "#lib/core/expressions/functions/format-date-pattern";
import { describeKinds } from "#lib/core/expressions/functions/read-argument";

/** Returns the table of functions, each with an example that a test executes. */
export function functionTable(): string {
  const rows = EXPRESSION_FUNCTIONS.map((one) => [
    code(writeSignature(one)),
    one.description,
    `${code(`{{${one.example.expression}}}`)} is ${code(JSON.stringify(one.example.value))}`,
  ]);
  return markdownTable(["function", "result", "example"], rows);
}

/** Returns the table of arguments and the values that they accept. */
export function argumentTable(): string {
  const rows = EXPRESSION_FUNCTIONS.flatMap(({ name, parameters }) =>
    parameters.map((parameter) => [
      code(name),
      code(parameter.name),
      describeKinds(parameter.accepts),
      parameter.isOptional === true ? "no" : "yes",
    ]),
  );
  return markdownTable(["function", "argument", "accepts", "required"], rows);
}

export function dateFieldTable(): string {
  return markdownTable(
    ["field", "writes"],
    Object.entries(DATE_TOKENS).map(([field, { meaning }]) => [code(field), meaning]),
  );
}

export function exampleData(): string {
  return ["```json", JSON.stringify(EXAMPLE_DATA, null, 2), "```"].join("\n");
}
