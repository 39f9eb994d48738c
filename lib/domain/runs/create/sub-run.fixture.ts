import type { SubRun, SubRunRequest } from "#lib/core/engine/ports";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { subRunsOf } from "#lib/domain/runs/create/open-sub-runs";

interface TestParent {
  workspaceId: string;
  lease: { runId: string; token: number };
}

/** For tests: opens the sub-run of one step, the way a step of the run does. */
export function openSubRun(run: TestParent, request: SubRunRequest, mask = NO_MASK): Promise<SubRun> {
  return subRunsOf({ ...run, mask }, (work) => work())(request);
}
