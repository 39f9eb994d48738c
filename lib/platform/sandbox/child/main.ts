import { dropPrivileges } from "#lib/platform/child-pool/drop-privileges";
import { answerCall } from "#lib/platform/sandbox/child/answer-call";
import { type CompiledModules, keepCompiled } from "#lib/platform/sandbox/child/keep-compiled";
import {
  type Interpreter,
  openInterpreter,
  resetInterpreter,
  type Snapshot,
} from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots, type Snapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import type { SandboxCall, SandboxReady, SandboxReply, SandboxStart } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

interface Spare {
  language: SandboxCall["language"];
  memoryBytes: number;
  interpreter: Interpreter;
}

let snapshots: Snapshots | null = null;
/** Opened or reset after a call for the next call of its kind, which then does not wait for it. */
let spare: Spare | null = null;

let modules: CompiledModules | null = null;

/** A parent that is gone needs no answer; `disconnect` ends this process. */
function send(message: SandboxReply | SandboxReady): void {
  process.send?.(message, () => {});
}

function snapshotOf(language: SandboxCall["language"]): Snapshot {
  const snapshot = snapshots?.[language];
  if (!snapshot) throw new Error("The sandbox was called before it was ready");
  return snapshot;
}

function compiledModules(): CompiledModules {
  modules ??= keepCompiled(snapshotOf("typescript"));
  return modules;
}

async function open(language: SandboxCall["language"], memoryBytes: number): Promise<Spare> {
  return { language, memoryBytes, interpreter: await openInterpreter(memoryBytes, snapshotOf(language)) };
}

/** The snapshots come from this process before user code runs in it, or from another such process. */
async function start(given: SandboxStart): Promise<void> {
  snapshots = (given.snapshots as Snapshots | null) ?? (await prepareSnapshots());
  spare = await open("typescript", SANDBOX.memoryBytes);
  send({ snapshots: given.snapshots ? null : snapshots, isUnprivileged: dropPrivileges() });
}

async function answer(call: SandboxCall): Promise<void> {
  const { language, memoryBytes } = call;
  const taken = spare;
  spare = null;
  const isFitting = taken?.language === language && taken.memoryBytes === memoryBytes;
  const { interpreter } = isFitting ? taken : await open(language, memoryBytes);
  const reply = answerCall(interpreter, call, compiledModules());
  send(reply);
  if (reply.isWorn) return;
  const reset = resetInterpreter(interpreter, snapshotOf(language));
  spare = reset ? { language, memoryBytes, interpreter: reset } : await open(language, memoryBytes);
}

// The parent decides when a child ends: Ctrl-C in a terminal reaches the whole group, and calls that the worker still
// waits for must continue.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
process.once("message", (given: SandboxStart) => {
  process.on("message", (call: SandboxCall) => void answer(call));
  void start(given);
});
