"use client";

import { useEffect } from "react";
import { PRESENCE_EVERY_MS } from "#lib/contract/workflow/presence";
import { callOperation } from "@/components/api/call-operation";
import { isStreamOpen, subscribeToStreamState, subscribeToWorkflowNotices } from "@/components/api/run-stream";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { hearNotice, withoutGone } from "@/components/canvas/store/who-is-here";
import { useSession } from "@/components/shell/session-context";
import { randomHex } from "@/components/ui/random-hex";
import { toast } from "@/components/ui/toast";

/** The user's own save answers within this time; a newer revision after it comes from another user. */
const OWN_SAVE_MS = 600;

/** Reports that this page has the workflow open, listens for other users, and shows their changes. */
export function usePresence(): void {
  const session = useDraftSession();
  const { user_id: userId } = useSession().user;
  useEffect(() => {
    const clientId = randomHex();
    const { workflow_id: workflowId } = session.draft.getState().facts;
    const tell = (isHere: boolean) =>
      void callOperation("tell_presence", { workflow_id: workflowId, client_id: clientId, is_here: isHere }).catch(
        () => undefined,
      );
    let leaving = false;
    const stop = subscribeToWorkflowNotices((notice) => {
      if (notice.workflow_id !== workflowId || notice.client_id === clientId) return;
      const { presence } = session.draft.getState();
      const isNew = notice.kind === "here" && !presence.visitors.some((known) => known.clientId === notice.client_id);
      session.draft.setState({ presence: hearNotice(presence, notice, Date.now()) });
      // A page that has just opened doesn't know about this one yet.
      if (isNew && !document.hidden) tell(true);
      if (notice.kind === "changed") setTimeout(() => leaving || void takeOver(session, userId), OWN_SAVE_MS);
    });
    const beat = () => {
      const { presence } = session.draft.getState();
      session.draft.setState({ presence: withoutGone(presence, Date.now()) });
      if (!document.hidden) tell(true);
      void takeOver(session, userId);
    };
    const followVisibility = () => tell(!document.hidden);
    // Answers sent before the stream is open would be lost, so it asks once the stream is open.
    const stopStates = subscribeToStreamState(() => isStreamOpen() && beat());
    beat();
    const timer = setInterval(beat, PRESENCE_EVERY_MS);
    document.addEventListener("visibilitychange", followVisibility);
    return () => {
      leaving = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", followVisibility);
      stopStates();
      stop();
      tell(false);
    };
  }, [session, userId]);
}

/**
 * Shows another user's newer draft if no unsaved changes would be lost and the user is not typing: while a field has
 * the focus, the draft waits for the next heartbeat or is merged at the next save.
 */
async function takeOver(session: DraftSession, userId: string): Promise<void> {
  const { presence, status, facts } = session.draft.getState();
  const { lastChange } = presence;
  if (lastChange === null || lastChange.revision <= session.revision() || status.kind !== "saved") return;
  if (document.activeElement?.matches("input,textarea,select,[contenteditable=true]")) return;
  try {
    const theirs = await callOperation("get_workflow", { workflow_id: facts.workflow_id });
    const who = lastChange.actor.id === userId ? "One of your other tabs" : lastChange.actor.name;
    if (session.adopt(theirs)) toast.message(`${who} changed this workflow.`);
  } catch {
    // The next save detects the newer revision.
  }
}
