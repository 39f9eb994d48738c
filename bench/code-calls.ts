import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import type { Benchmark } from "#bench/benchmark";
import { type CodeFloors, openCodeFloors } from "#bench/code-floors";
import { compareToFloor, type Figure } from "#bench/figures";
import { readCpuMs } from "#bench/process-usage";
import { median } from "#bench/statistics";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";
import type { SandboxReply } from "#lib/platform/sandbox/sandbox-call";

const WARM_UP_CALLS = 300;
/** More than a child answers before it is replaced: starting children is part of the cost of a call. */
const CALLS = 1_000;
/** The calls that are waiting or running at any time. */
const AT_ONCE = 4;
const AT_MOST = 3;
const { signal } = new AbortController();

interface Work {
  name: string;
  source: string;
  input: unknown;
}

const ORDERS = Array.from({ length: 1_000 }, (_, id) => ({ id, mail: "ann@example.com", note: "x".repeat(60) }));
const WORKS: readonly Work[] = [
  { name: "one line", source: "return input.n + 1;", input: { n: 1 } },
  {
    name: "100 numbers",
    source: `const numbers = Array.from({ length: 100 }, (_, index) => index * input.n);
return { sum: numbers.reduce((total, value) => total + value, 0) };`,
    input: { n: 1 },
  },
  { name: "100 KB of input", source: "return input.orders.length;", input: { orders: ORDERS } },
];

/** CPU time in ms, per call. */
interface Cost {
  parent: number;
  children: number;
}

/** What the processes of the sandbox have done so far. */
const seen = { started: 0, messages: 0, compiled: 0 };

/** Without a database. All figures are CPU time and counts, which other programs on the machine hardly change. */
export const codeCalls: Benchmark = {
  summary: "CPU of a call of user code, compared with an echo by a child and the same code without isolation",
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
  const { name, source, input } = work;
  const program = { source, inputJson: JSON.stringify(input) };
  const call = () => runUserCode({ workspaceId: "w", source, input, timeoutMs: 60_000, signal });
  await measure(call, WARM_UP_CALLS);
  const before = { ...seen };
  const [calls, echoes, evaluations]: [Cost[], Cost[], Cost[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    calls.push(await measure(call, CALLS));
    echoes.push(await measure(() => floors.echo(program), CALLS));
    evaluations.push(await measure(async () => floors.evaluate(program), CALLS));
  }
  const perCall = (count: number) => count / (CALLS * rounds);
  const cost = medianOf(calls);
  const [echo, evaluation] = [medianOf(echoes), medianOf(evaluations)];
  const floor = echo.parent + echo.children + evaluation.parent;
  return [
    compareToFloor(`${name}: CPU ms a call`, { measured: cost.parent + cost.children, floor }, { atMost: AT_MOST }),
    { figure: "  of which the worker, floor: the echo's parent", measured: cost.parent, floor: echo.parent },
    { figure: "  of which the children, floor: the echo's child", measured: cost.children, floor: echo.children },
    { figure: "  messages a call", measured: perCall(seen.messages - before.messages) },
    { figure: "  compilations a call", measured: perCall(seen.compiled - before.compiled) },
    { figure: "  children started a call", measured: perCall(seen.started - before.started) },
  ];
}

/** Runs the work many times and returns what one cost. */
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
  // The channel reports a process before it has started.
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
