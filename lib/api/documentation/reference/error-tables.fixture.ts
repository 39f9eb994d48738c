import { code, codes, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import { API_ERROR_STATUS, type ApiErrorCode } from "#lib/contract/error/api-error";
import { API_ERROR_REASONS, RUN_ERROR_REASONS, SPECIFIC_RUN_ERROR_REASONS } from "#lib/contract/error/error-reasons";
import { API_ERROR_MEANINGS } from "#lib/contract/openapi/api-error-meanings";
import { RUN_ERROR_CODES, retryRuleOf, STEP_ERROR_CODES, STEP_ERROR_RETRY } from "#lib/contract/run/step-error";
import { PROBLEM_CODES, PROBLEM_MEANINGS } from "#lib/contract/workflow/problem-codes";
import { errorHint } from "@/components/features/runs/error-hints";

const isRuntimeCode = (name: string): name is keyof typeof API_ERROR_MEANINGS => name in API_ERROR_MEANINGS;

export function apiErrorTable(): string {
  const rows = Object.entries(API_ERROR_STATUS).flatMap(([name, status]) =>
    isRuntimeCode(name) ? [[String(status), code(name), API_ERROR_MEANINGS[name].when]] : [],
  );
  return markdownTable(["status", "code", "when"], rows);
}

/** Returns the table of codes that a request with a key never gets. */
export function webErrorTable(): string {
  const names = (Object.keys(API_ERROR_STATUS) as ApiErrorCode[]).filter((name) => !isRuntimeCode(name));
  return markdownTable(
    ["status", "code"],
    names.map((name) => [String(API_ERROR_STATUS[name]), code(name)]),
  );
}

export function apiReasonTable(): string {
  const rows = Object.entries(API_ERROR_REASONS).map(([reason, { code: name, meaning }]) => [
    code(reason),
    code(name),
    meaning,
  ]);
  return markdownTable(["reason", "code", "meaning"], rows);
}

const RETRY_WORDS = {
  always: "yes",
  idempotent: "if the operation can safely run twice",
  never: "no",
} as const;

export function stepErrorTable(): string {
  const rows = STEP_ERROR_CODES.map((name) => [
    code(name),
    RETRY_WORDS[STEP_ERROR_RETRY[name]],
    codes(Object.entries(RUN_ERROR_REASONS).flatMap(([reason, of]) => (of.code === name ? [reason] : []))),
  ]);
  return markdownTable(["code", "retried", "specific reasons"], rows);
}

export function runReasonTable(): string {
  const rows = SPECIFIC_RUN_ERROR_REASONS.map((reason) => {
    const { code: name, meaning } = RUN_ERROR_REASONS[reason];
    return [code(reason), code(name), RETRY_WORDS[retryRuleOf({ code: name, reason })], meaning];
  });
  return markdownTable(["reason", "code", "retried", "meaning"], rows);
}

export function problemTable(): string {
  const rows = PROBLEM_CODES.map((name) => {
    const { severity, meaning, fix } = PROBLEM_MEANINGS[name];
    return [code(name), severity === "both" ? "error or warning" : severity, meaning, fix];
  });
  return markdownTable(["code", "severity", "meaning", "fix"], rows);
}

export function runErrorTable(): string {
  const rows = RUN_ERROR_CODES.map((name) => {
    const { headline, advice } = errorHint({ code: name });
    return [code(name), `${headline}. ${advice}`];
  });
  return markdownTable(["code", "what happened and what to do"], rows);
}
