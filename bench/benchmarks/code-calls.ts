import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import type { Benchmark } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { type CodeFloors, openCodeFloors } from "#bench/floors/code-floors";
import { readCpuMs } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";
import type { SandboxReply } from "#lib/platform/sandbox/sandbox-call";

const WARM_UP_CALLS = 300;
const CALLS = 1_000;
const FLOOR_CALLS = 200;
/** The number of calls that wait or run at any time. */
const AT_ONCE = 4;
const { signal } = new AbortController();

interface Work {
  name: string;
  /** The body of a function of `input`. */
  body: string;
  /** The same program as a module, if the user wrote one. */
  module?: string;
  input: unknown;
}

const ORDERS = Array.from({ length: 1_000 }, (_, id) => ({ id, mail: "ann@example.com", note: "x".repeat(60) }));
const FUNCTIONS = Array.from({ length: 80 }, (_, index) => {
  return `function f${index}(a, b) { return a > b ? a * ${index} + b : [a, b].map((value) => value + ${index}); }`;
}).join("\n");
const WORKS: readonly Work[] = [
  { name: "one line", body: "return input.n + 1;", input: { n: 1 } },
  {
    name: "100 numbers",
    body: `const numbers = Array.from({ length: 100 }, (_, index) => index * input.n);
return { sum: numbers.reduce((total, value) => total + value, 0) };`,
    input: { n: 1 },
  },
  { name: "100 KB of input", body: "return input.orders.length;", input: { orders: ORDERS } },
  {
    name: "8 KB of code",
    body: `${FUNCTIONS}\nreturn f1(input.n, 2);`,
    module: `${FUNCTIONS}\nexport default (input) => f1(input.n, 2);`,
    input: { n: 1 },
  },
];

/** CPU time per call in ms. */
interface Cost {
  parent: number;
  children: number;
}

/** What the sandbox's processes have done so far. */
const seen = { started: 0, messages: 0, compiled: 0 };

/** Needs no database. All figures are CPU times and counts, which other programs on the machine hardly change. */
export const codeCalls: Benchmark = {
  summary: "CPU of a call of user code, compared with an echo by a child plus a new interpreter for each",
  run: async ({ rounds }) => {
    const floors = await openCodeFloors();
    subscribe("child_process", (created) => watch((created as { process: ChildProcess }).process));
    try {
      const figures: Figure[] = [];
      for (const work of WORKS) figures.push(...(await measureWork(work, floors, rounds)));
      return figures;
    } finally {
      floors.close();
    }
  },
};

async function measureWork(work: Work, floors: CodeFloors, rounds: number): Promise<Figure[]> {
  const { name, body, module = body, input } = work;
  const program = { body, inputJson: JSON.stringify(input) };
  const call = () => runUserCode({ workspaceId: "w", source: module, input, timeoutMs: 60_000, signal });
  await measure(call, WARM_UP_CALLS);
  const before = { ...seen };
  const [calls, echoes, evaluations, alone]: [Cost[], Cost[], Cost[], Cost[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    calls.push(await measure(call, CALLS));
    echoes.push(await measure(() => floors.echo(program), CALLS));
    evaluations.push(await measure(() => floors.evaluate(program), FLOOR_CALLS));
    alone.push(await measure(() => floors.evaluateAlone(program), FLOOR_CALLS));
  }
  const perCall = (count: number) => count / (CALLS * rounds);
  const [cost, echo] = [medianOf(calls), medianOf(echoes)];
  const measured = cost.parent + cost.children;
  const floor = echo.parent + echo.children + medianOf(alone).parent;
  return [
    compareToFloor(`${name}: CPU ms a call, floor: echo and new interpreter`, { measured, floor }, { atMost: 1 }),
    { figure: "  of which the worker, floor: the echo's parent", measured: cost.parent, floor: echo.parent },
    { figure: "  of which the children, floor: the echo's child", measured: cost.children, floor: echo.children },
    { figure: "  CPU ms of the same code without isolation", measured: medianOf(evaluations).parent },
    { figure: "  messages a call", measured: perCall(seen.messages - before.messages) },
    { figure: "  compilations of TypeScript a call", measured: perCall(seen.compiled - before.compiled) },
    { figure: "  children started a call", measured: perCall(seen.started - before.started) },
  ];
}

/** Runs the work many times and returns the cost of one run. */
async function measure(work: () => Promise<unknown>, times: number): Promise<Cost> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return { parent: (user + system) / 1_000, all: readCpuMs([process.pid]) };
  };
  const before = cpuMs();
  let left = times;
  const repeat = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, repeat));
  const after = cpuMs();
  const parent = after.parent - before.parent;
  return { parent: parent / times, children: (after.all - before.all - parent) / times };
}

function medianOf(costs: readonly Cost[]): Cost {
  return { parent: median(costs.map(({ parent }) => parent)), children: median(costs.map(({ children }) => children)) };
}

function watch(child: ChildProcess): void {
  // The channel reports a process before the process has started.
  setImmediate(() => {
    const send = child.send?.bind(child);
    if (!send) return;
    seen.started += 1;
    child.send = (...message: unknown[]) => {
      seen.messages += 1;
      return Reflect.apply(send, child, message);
    };
    child.on("message", (reply: Partial<SandboxReply>) => {
      seen.messages += 1;
      if (reply.compiled) seen.compiled += 1;
    });
  });
}
