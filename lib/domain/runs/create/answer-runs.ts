import { ApiError } from "#lib/contract/api-error";
import type { RunObject } from "#lib/contract/run";
import { findFirstAnswers, type IdempotentCall } from "#lib/domain/runs/create/find-first-answers";
import type { RunRequest } from "#lib/domain/runs/create/prepare-run";
import { limitRefusal } from "#lib/domain/runs/create/run-limits";
import type { WrittenRun } from "#lib/domain/runs/create/write-runs";
import { presentNewRun, presentRun } from "#lib/domain/runs/read/present-run";
import type { Db } from "#lib/platform/db/pool";

export type CreatedRun =
  | { outcome: "created"; run: RunObject }
  /** The idempotency key was used before with the same payload, and this is the first answer. */
  | { outcome: "replayed"; run: RunObject }
  /** The action no longer matches `target` and nothing was written. Read the action again. */
  | { outcome: "stale" };

export type MadeRun = Exclude<CreatedRun, { outcome: "stale" }>;

interface WrittenRequest {
  request: RunRequest;
  written: WrittenRun;
}

/**
 * Converts what was written to the answers of the callers, in the same order. A refusal is an ApiError:
 * IDEMPOTENCY_KEY_REUSED, RATE_LIMIT_EXCEEDED or QUOTA_EXCEEDED.
 * @param tx a transaction that wrote the runs and is still open
 */
export async function answerRuns(all: readonly WrittenRequest[], tx?: Db): Promise<(CreatedRun | ApiError)[]> {
  const replayed = all.filter(({ written }) => written.inserted.outcome === "replayed");
  const answers = await findFirstAnswers(
    replayed.map(({ request }) => callOf(request)),
    tx,
  );
  const first = new Map(replayed.map(({ request }, index) => [request, answers[index] ?? null]));
  return all.map(({ request, written }) => answerOf(request, written, first.get(request) ?? null));
}

function callOf({ workspaceId, target, idempotencyKey: key, input, dryRun }: RunRequest): IdempotentCall {
  if (key === undefined || !target.action) throw new Error("a call without an idempotency key can't be a repetition");
  return { workspaceId, actionSlug: target.action.slug, key, input, dryRun };
}

function answerOf(
  request: RunRequest,
  { inserted, approval }: WrittenRun,
  firstAnswer: RunObject | null,
): CreatedRun | ApiError {
  switch (inserted.outcome) {
    case "created": {
      const stored = { ...inserted.row, approval };
      return { outcome: "created", run: stored.error ? presentRun(stored, { steps: [] }) : presentNewRun(stored) };
    }
    case "replayed":
      if (!firstAnswer) throw new Error("the run of a replayed idempotency key no longer exists");
      return { outcome: "replayed", run: firstAnswer };
    case "stale":
      return { outcome: "stale" };
    case "key_reused":
      return new ApiError("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another payload.");
    case "user_limit":
    case "month_limit":
      return limitRefusal({
        limit: inserted.outcome,
        plan: request.plan,
        isEvent: request.subscriptionId !== undefined,
        retryAfterSeconds: inserted.outcome === "user_limit" ? inserted.retryAfterSeconds : null,
      });
  }
}
