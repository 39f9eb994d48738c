import {
  isTerminal,
  REPLAY_MODES,
  REPLAY_VERSIONS,
  type ReplayMode,
  type RunObject,
  USUAL_REPLAY_MODE,
} from "#lib/contract/run/run";
import { choiceCodec } from "@/components/ui/url-codecs";

/** The URL state of the open dialog: its initial replay mode, and the version that it starts with. */
export const REPLAY_CODECS = {
  replay: choiceCodec(REPLAY_MODES, null),
  version: choiceCodec(REPLAY_VERSIONS, "same"),
};

/** decisions, Replay: the default mode. */
export function usualReplayMode(run: Pick<RunObject, "status">): ReplayMode {
  return isTerminal(run.status) ? USUAL_REPLAY_MODE[run.status] : "resume";
}

/** Returns why a run cannot be replayed now, or null if it can. */
export function replayRefusal(run: Pick<RunObject, "status">, canEdit: boolean): string | null {
  if (!canEdit) return "You need the editor role or higher to replay runs.";
  return isTerminal(run.status) ? null : "Only a run that has ended can be replayed.";
}
