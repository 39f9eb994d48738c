"use client";

import { useState } from "react";
import { ACTION_TRANSITIONS, type ActionDetailObject, type ActionStatus } from "#lib/contract/action/action";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/lists/section";
import { LazyAlertDialog } from "@/components/ui/overlays/lazy-alert-dialog";
import { toast } from "@/components/ui/toast";

interface Change {
  verb: string;
  consequence: string;
  done: string;
}

const STATE_WORDS: Record<ActionStatus, string> = {
  active: "Agents can find and call it.",
  paused: "Callers get 409 ACTION_UNAVAILABLE, and the action isn't listed.",
  archived: "Callers get 409 ACTION_UNAVAILABLE. The slug stays reserved for this workflow.",
};

/** What each status change does, shown before the user confirms it. */
const CHANGES: Record<ActionStatus, Change> = {
  active: {
    verb: "Resume",
    consequence: "Callers can run the current release again right away.",
    done: "resumed. Callers can run it again.",
  },
  paused: {
    verb: "Pause",
    consequence:
      "Callers get 409 ACTION_UNAVAILABLE and the action isn't listed. Runs that have started continue. You can resume it at any time.",
    done: "paused. Calls now get 409 ACTION_UNAVAILABLE.",
  },
  archived: {
    verb: "Archive",
    consequence:
      "Callers get 409 ACTION_UNAVAILABLE and the action isn't listed. Runs that have started continue. The slug stays reserved. To use the action again, restore it and then resume it.",
    done: "archived. Calls now get 409 ACTION_UNAVAILABLE.",
  },
};

function changeTo(from: ActionStatus, to: ActionStatus): Change {
  if (from === "archived" && to === "paused") {
    return {
      verb: "Restore",
      consequence: "The action is paused after you restore it: callers get 409 ACTION_UNAVAILABLE until you resume it.",
      done: "restored and paused.",
    };
  }
  return CHANGES[to];
}

/** Pauses, resumes and archives an action. Publishing a workflow does none of these. */
export function ActionAvailability({ action }: { action: ActionDetailObject }) {
  const [target, setTarget] = useState<ActionStatus | null>(null);
  const canEdit = useHasRole("editor");
  const asked = target === null ? null : changeTo(action.status, target);
  const change = useOperationMutation("set_action_status", {
    invalidates: ["get_action", "list_actions", "list_workflows", "get_workflow"],
    onSuccess: (updated) => {
      toast(`Action ${updated.slug} ${changeTo(action.status, updated.status).done}`);
      setTarget(null);
    },
  });
  return (
    <Section title="Availability" description={STATE_WORDS[action.status]}>
      {canEdit ? (
        <div className="flex flex-wrap gap-2">
          {ACTION_TRANSITIONS[action.status].map((to) => (
            <Button
              key={to}
              variant={to === "archived" ? "danger" : "secondary"}
              onClick={() => {
                change.reset();
                setTarget(to);
              }}
            >
              {changeTo(action.status, to).verb}…
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-text-3">You need the editor role to change this.</p>
      )}
      <LazyAlertDialog
        isOpen={target !== null}
        onClose={() => setTarget(null)}
        title={asked === null ? "" : `${asked.verb} ${action.slug}?`}
        confirmLabel={asked?.verb ?? ""}
        isDestructive={target === "archived"}
        isBusy={change.isPending}
        error={change.error?.message ?? null}
        onConfirm={() => target && change.mutate({ slug: action.slug, status: target })}
      >
        <p>{asked?.consequence}</p>
      </LazyAlertDialog>
    </Section>
  );
}
