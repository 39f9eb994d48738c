import { isTerminal, REPLAY_MODES, type ReplayMode, type RunObject, USUAL_REPLAY_MODE } from "#lib/contract/run";
import { choiceCodec } from "@/components/ui/url-codecs";

/** The dialog that is open, in the address: what it begins with. */
export const REPLAY_CODECS = { replay: choiceCodec(REPLAY_MODES, null) };

/** decisions, Replay: what is done when nobody chooses. */
export function usualReplayMode(run: Pick<RunObject, "status">): ReplayMode {
  return isTerminal(run.status) ? USUAL_REPLAY_MODE[run.status] : "resume";
}

/** Why a run cannot be replayed now; null when it can. */
export function replayRefusal(run: Pick<RunObject, "status">, canEdit: boolean): string | null {
  if (!canEdit) return "Replaying needs the role editor or higher.";
  return isTerminal(run.status) ? null : "Only a run that has ended can be replayed.";
}
