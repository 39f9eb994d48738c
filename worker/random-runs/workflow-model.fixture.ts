/** The models of random workflows: what a workflow means, without the definition that the product reads. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A value that a step reads: a constant, a path into the output of an earlier step, or texts in a row. */
export type Value =
  | { kind: "constant"; value: Json }
  | { kind: "path"; path: readonly [step: string, ...keys: string[]]; fallback?: Json }
  | { kind: "texts"; parts: readonly Value[] };

export type Operator =
  | "equals"
  | "not_equals"
  | "greater_than"
  | "less_or_equal"
  | "contains"
  | "not_contains"
  | "starts_with"
  | "exists";

export interface Rule {
  left: Value;
  operator: Operator;
  right: Json;
}

export type StepModel =
  | { kind: "input" }
  | { kind: "fields"; fields: readonly (readonly [name: string, value: Value])[] }
  | { kind: "condition"; match: "all" | "any"; rules: readonly Rule[] }
  | { kind: "switch"; cases: readonly { id: string; rule: Rule }[] }
  | { kind: "filter"; items: Value; operator: Operator; right: Json }
  | { kind: "program"; program: ProgramName; input: Value }
  /** The service answers the first `fails` attempts with the status, and the others with 200. */
  | { kind: "call"; fails: number; status: number; retries: number; body: Value }
  | { kind: "loop"; items: Value; concurrency: number; body: readonly NodeModel[]; result: Value }
  | { kind: "gate"; decision: "approved" | "rejected" }
  | { kind: "delay" }
  | { kind: "action"; action: ChildName; input: Value }
  | { kind: "end"; fields: readonly (readonly [name: string, type: "number" | "string" | "array", value: Value])[] };

export interface NodeModel {
  id: string;
  step: StepModel;
  /** The run continues after a failure, on the same path. */
  continues: boolean;
}

export interface EdgeModel {
  from: string;
  handle: string | null;
  to: string;
}

/** A workflow whose steps are in an order in which they can run. */
export interface WorkflowModel {
  nodes: readonly NodeModel[];
  edges: readonly EdgeModel[];
  input: { num: number; txt: string; list: number[] };
}

/** The code of the code steps, and what each does: an output, or the code of an error. */
export const CODE_PROGRAMS = {
  double: {
    source: "return { n: (input.v ?? 0) * 2, t: 'd' + (input.v ?? '') };",
    run: (v: Json) => ({ output: { n: Number(v ?? 0) * 2, t: `d${v ?? ""}` } }),
  },
  describe: {
    source: "export default async (input) => ({ n: JSON.stringify(input.v).length, t: typeof input.v });",
    run: (v: Json) => ({ output: { n: JSON.stringify(v).length, t: typeof v } }),
  },
  refuse: {
    source: "throw { code: 'VALIDATION_ERROR', message: 'refused' };",
    run: () => ({ error: "VALIDATION_ERROR" }),
  },
  break: { source: "throw new Error('broken');", run: () => ({ error: "UNKNOWN" }) },
  "refuse-large": {
    source: "if (input.v > 6) throw { code: 'UPSTREAM_ERROR', message: 'too large' };\nreturn { n: 1, t: 'small' };",
    run: (v: Json) => (Number(v ?? 0) > 6 ? { error: "UPSTREAM_ERROR" } : { output: { n: 1, t: "small" } }),
  },
} as const satisfies Record<string, { source: string; run: (v: Json) => { output: Json } | { error: string } }>;
export type ProgramName = keyof typeof CODE_PROGRAMS;

/** The actions that steps run: one doubles the number, and one refuses every number. */
export const CHILDREN = { doubles: "double", refuses: "refuse" } as const satisfies Record<string, ProgramName>;
export type ChildName = keyof typeof CHILDREN;
