import { randomBytes } from "node:crypto";
import { compileSource, InvalidSource } from "#lib/platform/sandbox/child/compile-source";
import type { CompiledModules } from "#lib/platform/sandbox/child/keep-compiled";
import type { Interpreter } from "#lib/platform/sandbox/child/open-interpreter";
import {
  clockTimeout,
  cpuNow,
  memoryMessage,
  runInInterpreter,
  type StartedAt,
} from "#lib/platform/sandbox/child/run-in-interpreter";
import { TornOff, withWatchdog } from "#lib/platform/sandbox/child/with-watchdog";
import type { CompiledSource, SandboxCall, SandboxReply, SandboxResult } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

/** Answers one call, compiling its source if needed, for every way in which it can end. */
export function answerCall(interpreter: Interpreter, call: SandboxCall, modules: CompiledModules): SandboxReply {
  const startedAt = { clockMs: performance.now(), cpuMs: cpuNow() };
  let compiled: CompiledSource | null = null;
  try {
    return withWatchdog(Math.ceil(call.timeoutMs) + SANDBOX.watchdogMs, () => {
      if (call.language === "typescript" && !call.compiled) compiled = compileSource(call.source);
      const isLoaded = call.compiled?.form === "module" && modules.load(interpreter, call.compiled.code);
      const seed = randomBytes(48).toString("hex");
      const options = { seed, startedAt, isLoaded };
      const outcome = runInInterpreter(interpreter, call, call.compiled ?? compiled, options);
      return { ...outcome, compiled, isWorn: outcome.isWorn || startedAt.cpuMs > SANDBOX.childCpuMs };
    });
  } catch (error) {
    const isWorn = !(error instanceof InvalidSource) || error.hasBrokenParser;
    return { result: resultOf(error, interpreter, call, startedAt), consoleJson: "[]", compiled, isWorn };
  }
}

function resultOf(error: unknown, interpreter: Interpreter, call: SandboxCall, startedAt: StartedAt): SandboxResult {
  if (error instanceof InvalidSource) return { kind: "invalid", message: error.message };
  // Whatever the cause, the user's call triggered it.
  if (interpreter.isExhausted()) return { kind: "invalid", message: memoryMessage(call) };
  if (error instanceof TornOff) return clockTimeout(startedAt);
  // The stack overflowed, or the interpreter corrupted its memory: only user input can cause this.
  if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) {
    return { kind: "invalid", message: "The code is nested too deeply, recurses too deeply, or broke its interpreter" };
  }
  return { kind: "fault", message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
