import { callSandbox, type SandboxAnswer, type SandboxRequest } from "#lib/platform/sandbox/call-sandbox";

/**
 * Runs a person's code on an input (decisions, The graph document: `code`). The source is TypeScript, either a module
 * (`export default async (input) => ...`) or the body of an async function of `input`; types are removed, not checked.
 *
 * It runs in QuickJS inside WebAssembly, in a memory that no call shares, inside a child process without environment,
 * files or network. It gets JSON and gives JSON, 1 MiB each way; no function of ours can be reached from it. Beside the
 * language it has `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder` (UTF-8), `atob`, `btoa`, `structuredClone`,
 * `console` (200 lines are kept) and a `crypto` with `randomUUID`, `getRandomValues`, and `createHash` and `createHmac`
 * for sha256. It has no network, imports, timers or `Intl`; the time zone is UTC.
 *
 * `timeoutMs` counts from when a process takes the code up, `memoryBytes` (64 MiB) caps all it can allocate.
 * @returns the value, where undefined is null, and what went to the console
 * @throws StepError TIMEOUT, VALIDATION_ERROR for what is wrong with the code, its result, or its appetite (the message
 *   names the line), UNKNOWN when the sandbox failed; or the signal's reason. A SandboxError carries the console.
 */
export async function runUserCode(request: SandboxRequest): Promise<SandboxAnswer> {
  return callSandbox("typescript", request);
}
