import { LIMITS } from "#lib/contract/limits";
import { STEP_ERROR_CODES, StepError } from "#lib/contract/run/step-error";
import { isStarved } from "#lib/platform/metrics/is-starved";
import { type CallTime, runInPool, starved, tooLong, tooMuchCpu } from "#lib/platform/sandbox/run-in-pool";
import type { CompiledSource, SandboxCall, SandboxReply } from "#lib/platform/sandbox/sandbox-call";
import { SandboxError } from "#lib/platform/sandbox/sandbox-error";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";
import { leastJsonBytes } from "#lib/support/json";
import { remember } from "#lib/support/sized-cache";

/** Compiled sources: pure functions of the text, produced by a child. Bounded to about 25 MB. */
const COMPILED_MAX = 200;
const COMPILED_CHARACTERS_MAX = 65_536;
const compiledSources = new Map<string, CompiledSource>();

export interface SandboxRequest {
  /** Workspaces take turns. */
  workspaceId: string;
  source: string;
  input: unknown;
  /** On the clock, from the call's turn. */
  timeoutMs: number;
  /** CPU time; LIMITS.codeCpuMs if it is not set. */
  cpuMs?: number | undefined;
  memoryBytes?: number | undefined;
  signal: AbortSignal;
  /** Called when the call's turn comes. */
  onTurn?: (() => void) | undefined;
}

export interface SandboxAnswer {
  value: unknown;
  console: string[];
}

/**
 * Runs one call of user code, from the request to the value.
 * @throws StepError (SandboxError if the code ran), or the signal's reason
 */
export async function callSandbox(language: SandboxCall["language"], request: SandboxRequest): Promise<SandboxAnswer> {
  const { source } = request;
  if (source.length > LIMITS.bodyBytes) throw tooLarge("The code is larger than 1 MiB");
  const compiled = language === "typescript" ? (compiledSources.get(source) ?? null) : null;
  const call: SandboxCall = {
    language,
    source: compiled ? "" : source,
    compiled,
    inputJson: writeInput(request.input),
    timeoutMs: Math.max(request.timeoutMs - SANDBOX.reportMs, request.timeoutMs / 2),
    cpuMs: request.cpuMs ?? LIMITS.codeCpuMs,
    memoryBytes: boundedMemory(request.memoryBytes ?? SANDBOX.memoryBytes),
  };
  const reply = await runInPool(call, request);
  if (reply.compiled && source.length <= COMPILED_CHARACTERS_MAX) {
    remember(compiledSources, source, reply.compiled, COMPILED_MAX);
  }
  return readReply(reply, { cpuMs: call.cpuMs, timeoutMs: request.timeoutMs });
}

function writeInput(input: unknown): string {
  // Counted before it is serialized: a small value may repeat a large one a thousand times.
  const isFar = leastJsonBytes(input, SANDBOX.inputBytes) > SANDBOX.inputBytes;
  const json = isFar ? "" : (JSON.stringify(input) ?? "null");
  if (isFar || Buffer.byteLength(json) > SANDBOX.inputBytes) throw tooLarge("The input is larger than 1 MiB");
  return json;
}

function boundedMemory(bytes: number): number {
  return Math.min(SANDBOX.memoryBytesMax, Math.max(SANDBOX.memoryBytesMin, bytes));
}

function readReply({ result, consoleJson }: SandboxReply, limits: CallTime): SandboxAnswer {
  const console = readConsole(consoleJson);
  switch (result.kind) {
    case "value":
      return { value: readValue(result.json), console };
    case "timeout":
      throw withConsole(timeoutError(result, limits), console);
    case "invalid":
      throw new SandboxError("code_failed", result.message, console);
    case "thrown":
      throw thrownError(result, console);
    case "too_large":
      throw new SandboxError("data_too_large", result.message, console);
    case "fault":
      throw new StepError("UNKNOWN", "The sandbox failed", { cause: new Error(result.message) });
  }
}

function timeoutError(result: Extract<SandboxReply["result"], { kind: "timeout" }>, limits: CallTime): StepError {
  if (result.of === "cpu") return tooMuchCpu(limits);
  return isStarved(result) ? starved(limits) : tooLong(limits);
}

function withConsole({ reason, message }: StepError, console: string[]): SandboxError {
  return new SandboxError(reason, message, console);
}

/** Code chooses one of the contract's codes; an error without one is UNKNOWN (contract, Errors). */
function thrownError(result: Extract<SandboxReply["result"], { kind: "thrown" }>, console: string[]): SandboxError {
  const { code, words, message, retryAfterMs, line } = result;
  const place = line === null ? {} : { line };
  const known = STEP_ERROR_CODES.find((known) => known === code);
  if (known === undefined) return new SandboxError("code_threw", message, console, place);
  return new SandboxError(known, words, console, retryAfterMs === null ? place : { ...place, retryAfterMs });
}

/** The text comes from the process that ran the code, so it may be anything. */
function readValue(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new StepError("code_failed", "The code broke the serialization of its result", { cause: error });
  }
}

function tooLarge(message: string): StepError {
  return new StepError("data_too_large", message);
}

const { consoleLines, consoleLineCharacters, consoleBytes } = LIMITS;
/** Characters of JSON in which everything that is kept fits, even if each character is escaped. */
const READABLE_CHARACTERS = 6 * consoleBytes;

/**
 * Reads what code wrote to its console. The text comes from the process that ran the code, so it may be anything: the
 * limits of the guest are applied again, in bytes.
 */
export function readConsole(json: string): string[] {
  const lines = parseLines(json);
  const kept: string[] = [];
  let bytes = 2;
  for (const line of lines.slice(0, consoleLines + 1)) {
    // One more character shows that the guest cut the line.
    const text = line.slice(0, consoleLineCharacters + 1);
    bytes += Buffer.byteLength(JSON.stringify(text)) + 1;
    if (bytes > consoleBytes) return [...kept, "… what followed was not kept"];
    kept.push(text);
  }
  return kept;
}

function parseLines(json: string): string[] {
  if (json.length > READABLE_CHARACTERS) return [];
  try {
    const lines: unknown = JSON.parse(json);
    return Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [];
  } catch {
    return [];
  }
}
