import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { LIMITS } from "#lib/contract/limits";
import { replayVersion } from "#lib/contract/run/run-inputs";
import { runChangeSchema } from "#lib/contract/run/run-view-schema";
import { wireListOf } from "#lib/contract/wire/wire-values";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { reportEach } from "#lib/domain/runs/execute/report-each";

/** Up to as many runs as the longest page of a list. */
const runIds = z.array(z.uuid()).min(1).max(LIMITS.pageSizeMax);

export const cancelRunsOperation = defineOperation({
  name: "cancel_runs",
  title: "Cancel runs",
  description: "Cancels several runs and reports the result of each.",
  scope: "web",
  role: "editor",
  input: z.object({ run_ids: runIds }),
  output: wireListOf(runChangeSchema),
  run: async (caller, input) => ({
    data: await reportEach(input.run_ids, async (runId) => {
      const reference = { workspaceId: caller.workspaceId, runId, actionSlugs: visibleActions(caller) };
      const { wasOpen } = await cancelRun(reference, actorOf(caller));
      return { outcome: wasOpen ? "cancelled" : "unchanged", new_run_id: null };
    }),
  }),
});

export const replayRunsOperation = defineOperation({
  name: "replay_runs",
  title: "Replay runs",
  description: "Replays several ended runs, each in the default mode for how it ended, and reports the result of each.",
  scope: "web",
  role: "editor",
  input: z.object({ run_ids: runIds, version: replayVersion.optional() }),
  output: wireListOf(runChangeSchema),
  run: async (caller, input, { traceparent }) => ({
    data: await reportEach(input.run_ids, async (runId) => {
      const { workspaceId, plan, userId } = caller;
      const reference = { workspaceId, runId, actionSlugs: null };
      const version = input.version;
      const made = await replayRun({ ...reference, plan, version, actor: actorOf(caller), userId, traceparent });
      return { outcome: "replayed", new_run_id: made.run_id };
    }),
  }),
});
