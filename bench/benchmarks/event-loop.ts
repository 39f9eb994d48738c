import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { longestBlock } from "#bench/measure/longest-block";
import { parseJsonBody } from "#lib/api/admission/read-body";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import type { Definition } from "#lib/contract/workflow/graph";
import type { EngineEvent } from "#lib/core/engine/ports";
import { validateInput } from "#lib/core/input/validate-input";
import { createMask, NO_MASK } from "#lib/core/redaction/mask-texts";
import { sanitize } from "#lib/core/redaction/sanitize";
import { decideCase } from "#lib/core/steps/decide-case";
import { prepareBatch } from "#lib/domain/journal/checkpoints/prepare-batch";
import { readDelivery } from "#lib/domain/triggers/webhooks/read-delivery";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";
import { computeFor } from "#lib/platform/compute/compute-for";
import { measureJson } from "#lib/support/json-text/measure-json";

/** The longest time that a request or a run may block a process. */
const ALLOWED_MS = 50;
const MIB = 1_048_576;

const list = (item: (index: number) => string, bytes: number) => {
  const items: string[] = [];
  for (let length = 0; length < bytes; length += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length));
  return items.join(",");
};
const names = (bytes: number) => `{${list((index) => `"${index.toString(36)}":0`, bytes)}}`;
const BODIES: Record<string, string> = {
  "ordinary records": `{"v":[${list((id) => `{"id":${id},"mail":"ann@example.com","lines":[{"sku":"a-1","qty":2}]}`, MIB)}]}`,
  "different names": names(MIB - 200_000),
  "objects with different names": `{"v":[${list((index) => `{"${index.toString(36)}":0}`, MIB * 0.7)}]}`,
  "nested brackets": "[".repeat(MIB),
  zeros: `{"v":[${list(() => "0", MIB)}]}`,
  "repeated names": `{${list(() => '"a":1', MIB)}}`,
  escapes: `{"v":"${"\\u0041".repeat(MIB / 6 - 10)}"}`,
  "email addresses": `{"v":"${"a@b.co ".repeat(MIB / 7 - 10)}"}`,
};
const RESPONSES: Record<string, string> = {
  "nested brackets": "[".repeat(10 * MIB),
  zeros: `[${list(() => "0", 10 * MIB)}]`,
  escapes: `["${"\\u0041".repeat((10 * MIB) / 6 - 10)}"]`,
  "long different names": `{${list((index) => `"${index.toString(36).padEnd(45, "x")}":0`, 4.7 * MIB)}}`,
};

const headers = { "content-type": "application/json" };
const PLAIN = { method: "POST", url: "https://signalbox.example.com/webhooks/1", headers: new Headers() };
const schema = { type: "object", properties: {}, required: [] } as const;
const bounds = { maxBytes: MIB, maxDepth: 64 };
const JOURNALED = { runId: "r", workspaceId: "w", mask: NO_MASK };
const HOSTILE_MASK = createMask(
  list((index) => `${"a".repeat(60)}${index}`, 6_400)
    .split(",")
    .map((text) => ({ text, masked: "[REDACTED]" })),
);
const { signal } = new AbortController();
const compute = computeFor("bench");
const context = { services: { compute }, signal } as unknown as Parameters<typeof decideCase>[1];
const matches = (left: string, right: string) => ({
  match: "all" as const,
  rules: [{ left, operator: "matches" as const, right }],
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // A refusal is a valid answer, and takes time too.
  }
}

/** Returns 198 steps between input and output. Their fields fill about 1 MiB. */
function largeDefinition(value: string): Definition {
  const step = (id: string, type: string, data: object) => ({ id, type, position: { x: 0, y: 0 }, data });
  const field = { name: "x", value: value.repeat(5_000 / value.length) };
  const nodes = [
    step("in", "action_input", { properties: [] }),
    ...Array.from({ length: 198 }, (_, index) => step(`s${index}`, "transform", { fields: [field] })),
    step("out", "return_output", { properties: [{ name: "n", type: "string", value: "{{s1.x}}" }] }),
  ];
  const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${id}`, source: nodes[index]?.id ?? "", target: id }));
  return { nodes, edges } as Definition;
}

const events = (payload: unknown): EngineEvent[] =>
  Array.from({ length: 8 }, (_, index) => ({
    kind: "step_completed",
    nodeId: `s${index}`,
    iteration: "",
    attempt: 1,
    at: new Date(),
    inputData: payload,
    outputData: payload,
    durationMs: 1,
  }));

const classes = (): [string, () => unknown][] => [
  ...Object.entries(BODIES).flatMap(([shape, text]): [string, () => unknown][] => {
    const bytes = Buffer.from(text);
    const value = parsed(text);
    return [
      [`body: ${shape}`, () => attempt(() => parseJsonBody(bytes))],
      [`delivery: ${shape}`, () => readDelivery("bench", { ...PLAIN, body: bytes, receivedAt: new Date() })],
      [`input check: ${shape}`, () => attempt(() => value && validateInput(schema as never, value as never))],
      [`redaction: ${shape}`, () => attempt(() => sanitize(value))],
      [`step size: ${shape}`, () => attempt(() => measureJson(value, bounds))],
    ];
  }),
  ...Object.entries(RESPONSES).map(([shape, text]): [string, () => unknown] => {
    const body = Buffer.from(text);
    return [`response of 10 MiB: ${shape}`, () => attempt(() => parseResponseBody({ headers, body }))];
  }),
  ["journal of 16 MiB", () => prepareBatch(JOURNALED, events(parsed(names(MIB - 200_000))), new Date())],
  [
    "journal of 16 MiB of email addresses",
    () => prepareBatch(JOURNALED, events({ v: "a@b.co ".repeat(140_000) }), new Date()),
  ],
  [
    "journal of 16 MiB in which many secrets of the definition nearly match",
    () => prepareBatch({ ...JOURNALED, mask: HOSTILE_MASK }, events({ v: "a".repeat(MIB - 100) }), new Date()),
  ],
  ["pattern in a short text", () => decideCase([matches("x".repeat(20_000), "(foo|bar|baz|quux)+!")], context)],
  ["pattern in a long text", () => decideCase([matches("x".repeat(200_000), "(foo|bar|baz|quux)+!")], context)],
  ["pattern that unfolds", async () => decideCase([matches("a", "(a{1000}){1000}")], context)],
  [
    "pattern of 500 words",
    () => decideCase([matches("x".repeat(1_000), Array.from({ length: 180 }, (_, n) => `w${n}`).join("|"))], context),
  ],
  ["Unicode classes", () => decideCase([matches("ж".repeat(1_000), "(\\p{L}|\\p{N}|\\p{Lu}){40}")], context)],
  ["model's answer: deep references", () => compute.parseObject("0", deepReferences(), signal)],
  ["definition full of templates", () => findProblems(largeDefinition("{{in.n}}"), null, NO_SURROUNDINGS)],
  ["definition full of broken templates", () => findProblems(largeDefinition("{{a["), null, NO_SURROUNDINGS)],
];

function deepReferences(): Record<string, unknown> {
  const twice = (index: number) => ({ anyOf: [{ $ref: `#/$defs/d${index}` }, { $ref: `#/$defs/d${index}` }] });
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`d${index}`, index === 29 ? { const: 1 } : twice(index + 1)]),
  );
  return { $ref: "#/$defs/d0", $defs };
}

/** Measures the work whose size callers control, at its limit and with the worst data. */
export const eventLoop: Benchmark = {
  summary: "how long the worst data of each kind blocks the event loop",
  run: async ({ rounds }) => {
    await compute.findCase([], signal);
    const figures: Figure[] = [];
    for (const [figure, work] of classes()) {
      const measured = await longestBlock(async () => work(), rounds);
      figures.push(compareToFloor(`${figure}, ms`, { measured, floor: ALLOWED_MS }, { atMost: 1 }));
    }
    return figures;
  },
};
