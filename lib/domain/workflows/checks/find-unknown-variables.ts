import { JSONATA_FUNCTIONS } from "#lib/domain/workflows/checks/jsonata-functions";
import { isJsonObject } from "#lib/support/json";

const FUNCTIONS: ReadonlySet<string> = new Set(JSONATA_FUNCTIONS);

/**
 * Lists the variables of a JSONata expression that nothing declares, which are nothing at run time. A name that is declared
 * anywhere counts as declared everywhere, so what is found is certain.
 * @param ast as jsonata parses it
 */
export function findUnknownVariables(ast: unknown): string[] {
  const used = new Set<string>();
  const declared = new Set<string>();
  const open: unknown[] = [ast];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isJsonObject(next)) {
      const { type, value, lhs, arguments: parameters, focus, index } = next;
      if (type === "variable" && typeof value === "string") used.add(value);
      if (type === "bind" && isJsonObject(lhs)) declared.add(String(lhs.value));
      if (type === "lambda" && Array.isArray(parameters)) {
        for (const one of parameters) if (isJsonObject(one)) declared.add(String(one.value));
      }
      for (const name of [focus, index]) if (typeof name === "string") declared.add(name);
    }
    open.push(...Object.values(next).filter((inner) => inner !== undefined));
  }
  // `$` is the context, and `$$` the input.
  return [...used].filter((name) => name !== "" && name !== "$" && !declared.has(name) && !FUNCTIONS.has(name));
}
