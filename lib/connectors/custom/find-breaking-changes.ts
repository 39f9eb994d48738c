import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/** Deeper parts are rarely used, and schemas can be large. */
const DEPTH_MAX = 6;
const CHANGES_MAX = 20;

/** Returns what can make a step fail that calls the operation or reads its output, in words that follow its name. */
export function findBreakingChanges(before: CustomOperation, after: CustomOperation): string[] {
  const required = after.required.filter((name) => !before.required.includes(name)).map((name) => `requires ${name}`);
  const params = compare(before.paramsSchema, after.paramsSchema, "", "input", 0);
  const output = compare(before.outputSchema, after.outputSchema, "body", "output", 0);
  return [...new Set([...required, ...params, ...output])].slice(0, CHANGES_MAX);
}

function compare(
  before: unknown,
  after: unknown,
  path: string,
  direction: "input" | "output",
  depth: number,
): string[] {
  if (!isJsonObject(before) || !isJsonObject(after) || depth > DEPTH_MAX) return [];
  const [type, former] = [typeOf(after), typeOf(before)];
  const where = path === "" ? "params" : path;
  if (former !== null && type !== null && type !== former) {
    return [
      direction === "input" ? `takes ${type} as ${where}, was ${former}` : `returns ${type} as ${where}, was ${former}`,
    ];
  }
  return [
    ...lostValues(before, after, where, direction),
    ...newlyRequired(before, after, path, direction, depth),
    ...compareProperties(before, after, path, direction, depth),
    ...compare(before.items, after.items, `${where}[]`, direction, depth + 1),
  ];
}

function compareProperties(
  before: JsonObject,
  after: JsonObject,
  path: string,
  direction: "input" | "output",
  depth: number,
): string[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  // Nothing is known about the values of a schema that was cut.
  const isOpen = direction === "input" && (after.additionalProperties === true || depth > 1);
  return Object.keys(old).flatMap((name) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (Object.hasOwn(now, name)) return compare(old[name], now[name], at, direction, depth + 1);
    if (Object.keys(now).length === 0 && depth > 0) return [];
    if (direction === "output") return [`no longer returns ${at}`];
    return isOpen ? [] : [`no longer takes ${at}`];
  });
}

/** Required parameters are compared by the operation's own list. */
function newlyRequired(
  before: JsonObject,
  after: JsonObject,
  path: string,
  direction: "input" | "output",
  depth: number,
): string[] {
  if (direction === "output" || depth < 1 || !path.startsWith("body")) return [];
  const former = new Set(requiredOf(before));
  return requiredOf(after).flatMap((name) => (former.has(name) ? [] : [`requires ${path}.${name}`]));
}

function lostValues(before: JsonObject, after: JsonObject, where: string, direction: "input" | "output"): string[] {
  if (direction === "output" || !Array.isArray(before.enum) || !Array.isArray(after.enum)) return [];
  const now = new Set<unknown>(after.enum);
  const lost = before.enum.filter((value) => !now.has(value));
  return lost.length === 0 ? [] : [`no longer takes ${JSON.stringify(lost[0])} as ${where}`];
}

function typeOf({ type }: JsonObject): string | null {
  return typeof type === "string" ? type : null;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = getPath(schema, ["properties"]);
  return isJsonObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
