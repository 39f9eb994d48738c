import { type CheckOptions, checkValue, PROBLEMS_MAX, type ValueProblem } from "#lib/connectors/custom/check-value";
import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { bodyKind } from "#lib/connectors/custom/wire/body-kind";
import { chooseBody } from "#lib/connectors/custom/wire/choose-body";
import { isJsonType } from "#lib/connectors/http/body/mime-of";
import { PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector/connector";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { listSuggestions } from "#lib/support/list-suggestions";

/**
 * Compares the params of a step with what its operation takes. Paths start at the params: `query.limit`.
 * @param isOpen names the values that are known only when the step runs; by default there are none
 */
export function checkOperationParams(
  operation: CustomOperation,
  params: JsonObject,
  { isOpen = () => false }: Pick<CheckOptions, "isOpen"> = {},
): ValueProblem[] {
  const groups: JsonObject = isJsonObject(operation.paramsSchema.properties) ? operation.paramsSchema.properties : {};
  const places = Object.keys(groups);
  const problems = unknownNames(params, places, []);
  for (const name of operation.required) {
    const path = requiredPath(name);
    const outer = getPath(params, path.slice(0, 1));
    if (isOpen(outer) || !isMissing(operation, path, params)) continue;
    problems.push({ path, kind: "missing", message: "is required" });
  }
  for (const place of PARAMETER_PLACES) {
    problems.push(...checkPlace(operation, place, groups[place], params[place], isOpen));
  }
  const { body } = params;
  if (isJsonObject(groups.body) && !isAbsent(body)) {
    const { type = "", schema = groups.body } = chooseBody(operation, body, isOpen) ?? {};
    problems.push(...checkValue(schema, body, ["body"], { isOpen, isText: bodyKind(type) !== "json" }));
  }
  return problems;
}

/** @throws StepError VALIDATION_ERROR naming the parameter */
export function assertOperationParams(operation: CustomOperation, params: unknown): void {
  const [problem] = checkOperationParams(operation, isJsonObject(params) ? params : {});
  if (problem) throw new StepError("VALIDATION_ERROR", `${problem.path.join(".")}: ${problem.message}`);
}

/** Empty text is no value, except where a parameter can be empty. */
export function isAbsent(value: unknown, allowsEmpty = false): boolean {
  return value === null || value === undefined || (value === "" && !allowsEmpty);
}

function requiredPath(name: string): string[] {
  const dot = name.indexOf(".");
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function isMissing({ wire }: CustomOperation, path: readonly string[], params: unknown): boolean {
  const [place, name] = path;
  const allowsEmpty = wire.some((row) => row.in === place && row.name === name && row.allowEmpty === true);
  return isAbsent(getPath(params, path), allowsEmpty);
}

function checkPlace(
  { wire }: CustomOperation,
  place: ParameterPlace,
  schema: unknown,
  given: unknown,
  isOpen: (value: unknown) => boolean,
): ValueProblem[] {
  if (!isJsonObject(schema) || isAbsent(given) || isOpen(given)) return [];
  if (!isJsonObject(given)) return [{ path: [place], kind: "invalid", message: "must be an object" }];
  const properties: JsonObject = isJsonObject(schema.properties) ? schema.properties : {};
  const wrong = Object.entries(properties).flatMap(([name, property]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!isJsonObject(property) || isAbsent(value)) return [];
    const row = wire.find((known) => known.in === place && known.name === name);
    const isText = row?.content === undefined || !isJsonType(row.content);
    return checkValue(property, value, [place, name], { isOpen, isText });
  });
  return [...unknownNames(given, Object.keys(properties), [place]), ...wrong];
}

function unknownNames(given: JsonObject, known: readonly string[], at: readonly string[]): ValueProblem[] {
  const names = new Set(known);
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .slice(0, PROBLEMS_MAX)
    .map((name) => {
      const { words } = listSuggestions(name, known, "its parameters are");
      return { path: [...at, name], kind: "unknown", message: `is not a parameter of the operation${words}`, known };
    });
}
