import {
  CHILDREN,
  CODE_PROGRAMS,
  type Json,
  type NodeModel,
  type Operator,
  type Rule,
  type StepModel,
  type Value,
} from "#worker/random-runs/workflow-model.fixture";

/** What a step does: an output with the branch that it takes, or an error. */
export type PredictedResult = { output: Json; handle: string | null } | { error: string };

/** The outputs of the steps that have completed, and the errors of those that failed while the run continued. */
export type Outputs = ReadonlyMap<string, Json>;

/** The attempts of each call, by `<step>:<iteration>` as in its idempotency key. */
export type Attempts = Map<string, number>;

/** The codes of the statuses that the service answers with (contract, Errors). */
const STATUS_CODES: Readonly<Record<number, string>> = {
  401: "AUTH_EXPIRED",
  422: "VALIDATION_ERROR",
  429: "RATE_LIMITED",
  503: "UPSTREAM_ERROR",
};
const RETRIED: ReadonlySet<string> = new Set(["RATE_LIMITED", "UPSTREAM_ERROR"]);

/** @param iteration the part of the idempotency key behind the step: empty outside of loops */
export function predictStep(
  id: string,
  step: StepModel,
  scope: Outputs,
  attempts: Attempts,
  iteration = "",
): PredictedResult {
  switch (step.kind) {
    case "input":
      return done(readValue({ kind: "path", path: ["start"] }, scope));
    case "fields":
    case "end":
      return done(
        Object.fromEntries(step.fields.map((field) => [field[0], readValue(field[field.length - 1] as Value, scope)])),
      );
    case "condition": {
      const holds = step.rules.map((rule) => ruleHolds(rule, scope));
      const result = step.match === "all" ? holds.every(Boolean) : holds.some(Boolean);
      return { output: { result }, handle: String(result) };
    }
    case "switch": {
      const found = step.cases.find(({ rule }) => ruleHolds(rule, scope))?.id ?? "default";
      return { output: { case: found }, handle: found };
    }
    case "filter": {
      const items = listOf(step.items, scope).filter((item) => holds(item, step.operator, step.right));
      return done({ items, count: items.length });
    }
    case "program":
      return ran(CODE_PROGRAMS[step.program].run(readValue(step.input, scope)));
    case "action": {
      const child = CODE_PROGRAMS[CHILDREN[step.action]].run(readValue(step.input, scope));
      return "output" in child ? done({ n: child.output.n }) : child;
    }
    case "call":
      return predictCall(`${id}:${iteration}`, step, scope, attempts);
    case "loop":
      return predictLoop(id, step, scope, attempts);
    case "gate":
      return {
        output: { approved: step.decision === "approved", comment: null, decided_by: null },
        handle: step.decision,
      };
    case "delay":
      return done(null);
  }
}

function done(output: Json): PredictedResult {
  return { output, handle: null };
}

function ran(result: { output: Json } | { error: string }): PredictedResult {
  return "output" in result ? done(result.output) : result;
}

function predictCall(
  key: string,
  { fails, status, retries, body }: Extract<StepModel, { kind: "call" }>,
  scope: Outputs,
  attempts: Attempts,
): PredictedResult {
  const code = STATUS_CODES[status] ?? "UNKNOWN";
  const tries = RETRIED.has(code) ? retries + 1 : 1;
  attempts.set(key, Math.min(tries, fails + 1));
  if (fails >= tries) return { error: code };
  return done({ status: 200, body: scriptedAnswer(readValue(body, scope)) });
}

/** What the service answers to a value. */
export function scriptedAnswer(value: Json): Json {
  return { n: JSON.stringify(value).length };
}

function predictLoop(
  id: string,
  { items, body, result }: Extract<StepModel, { kind: "loop" }>,
  scope: Outputs,
  attempts: Attempts,
): PredictedResult {
  const results = listOf(items, scope).map((item, index) => {
    const inside = new Map([...scope, [id, { item, index }]]);
    for (const node of body) settle(node, predictStep(node.id, node.step, inside, attempts, String(index)), inside);
    return readValue(result, inside);
  });
  return done({ results, count: results.length });
}

/** Keeps what later steps read of a step. */
export function settle({ id }: NodeModel, result: PredictedResult, scope: Map<string, Json>): void {
  scope.set(id, "output" in result ? result.output : { error: { code: result.error } });
}

/** Reads a value as an expression does: a missing one is null, and text around an expression makes it a text. */
export function readValue(value: Value, scope: Outputs): Json {
  switch (value.kind) {
    case "constant":
      return value.value;
    case "path": {
      const found = value.path.slice(1).reduce<Json | undefined>(keyOf, scope.get(value.path[0]));
      return found ?? value.fallback ?? null;
    }
    case "texts":
      return value.parts.map((part) => written(readValue(part, scope))).join("");
  }
}

function keyOf(value: Json | undefined, key: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value[key] : undefined;
}

function written(value: Json): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function listOf(value: Value, scope: Outputs): Json[] {
  const list = readValue(value, scope);
  return Array.isArray(list) ? list : [];
}

function ruleHolds({ left, operator, right }: Rule, scope: Outputs): boolean {
  return holds(readValue(left, scope), operator, right);
}

/** A comparison with null is false, and its negation true (decisions, The graph document). */
function holds(left: Json, operator: Operator, right: Json): boolean {
  if (operator === "exists") return left !== null;
  if (operator === "not_equals") return !holds(left, "equals", right);
  if (operator === "not_contains") return !holds(left, "contains", right);
  if (left === null || right === null) return false;
  if (operator === "contains") return written(left).includes(written(right));
  if (operator === "starts_with") return written(left).startsWith(written(right));
  if (operator === "equals") return typeof right === "number" ? Number(left) === right : left === right;
  return operator === "greater_than" ? Number(left) > Number(right) : Number(left) <= Number(right);
}
