import { callSandbox, type SandboxAnswer, type SandboxRequest } from "#lib/platform/sandbox/call-sandbox";

/**
 * Runs user code on an input (decisions, The graph document: `code`). The source is TypeScript, either a module
 * (`export default async (input) => ...`) or the body of an async function of `input`; types are removed, not checked.
 * It runs in QuickJS inside WebAssembly, in memory that no other call shares, inside a child process without
 * environment, files or network. It takes and returns JSON, 1 MiB each way; it can reach none of our functions. In
 * addition to the language it has `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder` (UTF-8), `atob`, `btoa`,
 * `structuredClone`, `console` (200 lines are kept) and a `crypto` with `randomUUID`, `getRandomValues`, and
 * `createHash` and `createHmac` for sha256. It has no network, imports, timers or `Intl`; the time zone is UTC.
 * `timeoutMs` counts from the call's turn, `cpuMs` (10 s) is CPU time, and `memoryBytes` (64 MiB) caps everything it can
 * allocate.
 * @returns the value, with undefined as null, and the console output
 * @throws StepError of the code that the thrown error names, UNKNOWN if it names none; TIMEOUT, VALIDATION_ERROR when the
 * source, its result or its use of resources is invalid (the message names the line), UNKNOWN when the sandbox failed; or the signal's reason. A SandboxError carries the console.
 */
export async function runUserCode(request: SandboxRequest): Promise<SandboxAnswer> {
  return callSandbox("typescript", request);
}
