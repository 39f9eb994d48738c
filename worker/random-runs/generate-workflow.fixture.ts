import type { SeededRandom } from "#lib/support/seeded-random.fixture";
import type {
  EdgeModel,
  Json,
  NodeModel,
  Rule,
  StepModel,
  Value,
  WorkflowModel,
} from "#worker/random-runs/workflow-model.fixture";

/** The end of a path that the next step continues. */
interface Port {
  from: string;
  handle: string | null;
}

/** The values that a step has seen, by their type. */
interface Known {
  number: Value[];
  text: Value[];
  list: Value[];
}

interface GenerateOptions {
  /** Leaves out what depends on the number of attempts, because a killed worker repeats the attempt in progress. */
  isKilled: boolean;
}

/** More failures in one workspace could open the circuit breaker. */
const FAILING_CALLS_MAX = 2;
const DEPTH_MAX = 2;
/** Instead of a list that is missing. */
const TEXTS: Json = ["2", "3"];
const FAILED = "failed";

/** Draws a workflow: steps one after the other, branches, parallel paths, joins, loops, and failures. */
export function generateWorkflow(random: SeededRandom, { isKilled }: GenerateOptions): WorkflowModel {
  const nodes: NodeModel[] = [];
  const edges: EdgeModel[] = [];
  const seen = new Map<string, ReadonlySet<string>>();
  const provided = new Map<string, Known>();
  let failingCalls = 0;
  let delays = 0;

  const chance = (share: number) => random.next() < share;

  function add(step: StepModel, ports: readonly Port[], continues = false): string {
    const id = step.kind === "input" ? "start" : `${step.kind}_${nodes.length}`;
    nodes.push({ id, step, continues });
    for (const { from, handle } of ports) edges.push({ from, handle, to: id });
    const before = ports.flatMap(({ from }) => [from, ...(seen.get(from) ?? [])]);
    seen.set(id, new Set(before));
    provided.set(id, valuesOf(id, step));
    return id;
  }

  /** The values of all steps before the ports. */
  function knownAt(ports: readonly Port[]): Known {
    const ids = new Set(ports.flatMap(({ from }) => [from, ...(seen.get(from) ?? [])]));
    const all = [...ids].map((id) => provided.get(id)).filter((known) => known !== undefined);
    return {
      number: [{ kind: "constant", value: random.below(9) }, ...all.flatMap(({ number }) => number)],
      text: [{ kind: "constant", value: random.pick(["red", "green", ""]) }, ...all.flatMap(({ text }) => text)],
      list: [{ kind: "constant", value: [1, 5, 9] }, ...all.flatMap(({ list }) => list)],
    };
  }

  function pick(values: readonly Value[], fallback: Json): Value {
    const value = random.pick(values);
    return value.kind === "path" && chance(0.6) ? { ...value, fallback } : value;
  }

  function rule(all: Known): Rule {
    // The left side of a rule must not be empty.
    const known = { number: all.number.slice(1), text: all.text.slice(1) };
    if (chance(0.3)) {
      const operator = random.pick(["equals", "contains", "not_contains", "starts_with"] as const);
      return { left: pick(known.text, "none"), operator, right: random.pick(["red", "e", "d", "none"]) };
    }
    const operator = random.pick(["equals", "not_equals", "greater_than", "less_or_equal", "exists"] as const);
    return { left: pick(known.number, 4), operator, right: random.below(9) };
  }

  function text(known: Known): Value {
    return { kind: "texts", parts: [{ kind: "constant", value: "x-" }, pick(known.number, 7), pick(known.text, "t")] };
  }

  function call(known: Known): StepModel {
    const status = random.pick([503, 429, 422, 401]);
    const isFailing = failingCalls < FAILING_CALLS_MAX && chance(0.4);
    if (isFailing) failingCalls += 1;
    const fails = isFailing ? (isKilled ? 9 : 1 + random.below(2)) : 0;
    return { kind: "call", fails, status, retries: random.below(2), body: pick(known.number, 3) };
  }

  function work(known: Known, isInLoop: boolean): StepModel {
    const kinds = ["fields", "fields", "program", "program", "call", "filter", "action", "delay"] as const;
    const kind = random.pick(isInLoop ? kinds.slice(0, 4) : kinds);
    switch (kind) {
      case "fields":
        return {
          kind,
          fields: [
            ["n", pick(known.number, 1)],
            ["t", text(known)],
            ["l", pick(known.list, TEXTS)],
          ],
        };
      case "program": {
        const program = random.pick(["double", "describe", "double", "refuse-large", "refuse", "break"] as const);
        return { kind, program, input: pick(known.number, 2) };
      }
      case "call":
        return call(known);
      case "filter":
        return { kind, items: items(known), operator: random.pick(["greater_than", "equals"]), right: 4 };
      case "action":
        return {
          kind,
          action: random.pick(["doubles", "doubles", "refuses"]),
          input: present(random.pick(known.number), 5),
        };
      case "delay":
        delays += 1;
        return delays > 1 || chance(0.7) ? work(known, isInLoop) : { kind };
    }
  }

  /** A loop and a filter need a list. */
  function items(known: Known): Value {
    return present(random.pick(known.list), TEXTS);
  }

  function loop(known: Known): StepModel {
    const id = `loop_${nodes.length}`;
    const inside: Known = {
      number: [...known.number, { kind: "path", path: [id, "item"] }, { kind: "path", path: [id, "index"] }],
      text: known.text,
      list: known.list,
    };
    const body: NodeModel[] = [];
    for (let at = 0; at <= random.below(3); at += 1) {
      const step = work(inside, true);
      const bodyId = `${id}_${at}`;
      // A failure that ends the loop would leave open how many iterations have started.
      body.push({ id: bodyId, step, continues: true });
      inside.number = [...inside.number, ...valuesOf(bodyId, step).number];
    }
    return {
      kind: "loop",
      items: items(known),
      concurrency: 1 + random.below(3),
      body,
      result: pick(inside.number, 0),
    };
  }

  /** Adds one step, with what can follow it. */
  function addStep(ports: readonly Port[]): Port[] {
    const known = knownAt(ports);
    const step = chance(0.2) ? loop(known) : work(known, false);
    const handling = random.pick(["none", "none", "continue", "branch", "branch"] as const);
    const canFail = step.kind === "program" || step.kind === "call" || step.kind === "action";
    const id = add(step, ports, canFail && handling === "continue");
    if (!canFail || handling !== "branch") return [{ from: id, handle: null }];
    const failed: Port = { from: id, handle: FAILED };
    return [{ from: id, handle: null }, ...(chance(0.5) ? [failed] : addStep([failed]))];
  }

  function addBranches(ports: readonly Port[], depth: number): Port[] {
    const known = knownAt(ports);
    const sides = (id: string, handles: readonly string[]) =>
      handles.flatMap((handle) => {
        const port = { from: id, handle };
        return chance(0.25) ? [port] : addPath([port], depth + 1);
      });
    const kind = random.below(5);
    if (kind === 0) {
      return Array.from({ length: 2 + random.below(2) }, () => addPath(ports, depth + 1)).flat();
    }
    if (kind === 1) {
      const step: StepModel = { kind: "gate", decision: random.pick(["approved", "approved", "rejected"]) };
      return sides(add(step, ports), chance(0.7) ? ["approved", "rejected"] : ["approved"]);
    }
    if (kind === 2) {
      const cases = ["a", "b"].map((id) => ({ id, rule: rule(known) }));
      return sides(add({ kind: "switch", cases }, ports), ["a", "b", "default"]);
    }
    const rules = Array.from({ length: 1 + random.below(2) }, () => rule(known));
    return sides(add({ kind: "condition", match: random.pick(["all", "any"]), rules }, ports), ["true", "false"]);
  }

  function addPath(ports: readonly Port[], depth: number): Port[] {
    let last = [...ports];
    for (let at = 0; at <= random.below(3); at += 1) {
      last = depth < DEPTH_MAX && chance(0.4) ? addBranches(last, depth) : addStep(last);
    }
    return last;
  }

  const start = add({ kind: "input" }, []);
  const ports = addPath(addPath([{ from: start, handle: null }], 0), 0);
  const known = knownAt(ports);
  add(
    {
      kind: "end",
      fields: [
        ["n", "number", pick(known.number, 8)],
        ["m", "number", pick(known.number, 8)],
        ["t", "string", text(known)],
        ["l", "array", pick(known.list, TEXTS)],
      ],
    },
    ports,
  );
  return { nodes, edges, input: { num: random.below(10), txt: random.pick(["red", "green"]), list: numbers(random) } };
}

function present(value: Value, fallback: Json): Value {
  return value.kind === "path" ? { ...value, fallback } : value;
}

function numbers(random: SeededRandom): number[] {
  return Array.from({ length: random.below(5) }, () => random.below(10));
}

/** What later steps can read of a step. */
function valuesOf(id: string, { kind }: StepModel): Known {
  const at = (...keys: string[]): Value => ({ kind: "path", path: [id, ...keys] });
  switch (kind) {
    case "input":
      return { number: [at("num")], text: [at("txt")], list: [at("list")] };
    case "fields":
      return { number: [at("n")], text: [at("t")], list: [at("l")] };
    case "program":
      return { number: [at("n")], text: [at("t")], list: [] };
    case "call":
      return { number: [at("body", "n"), at("status")], text: [], list: [] };
    case "filter":
      return { number: [at("count")], text: [], list: [at("items")] };
    case "loop":
      return { number: [at("count")], text: [], list: [at("results")] };
    case "action":
      return { number: [at("n")], text: [], list: [] };
    default:
      return { number: [], text: [], list: [] };
  }
}
