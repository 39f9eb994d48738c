"use client";

import { TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useState } from "react";
import { formatRelative } from "#lib/support/format/format-relative";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

const ConflictDialog = lazy(() =>
  import("@/components/canvas/header/conflict-dialog").then((m) => ({ default: m.ConflictDialog })),
);

type Choice = "theirs" | "mine" | "copy";

/**
 * Shown when another user saved first. A bar instead of a dialog, because users may have to look at the drawing to
 * decide.
 */
export function ConflictBar() {
  const hasConflict = useDraft((draft) => draft.conflict !== null);
  const merges = useDraft((draft) => draft.merges);
  useEffect(() => {
    if (merges > 0)
      toast.message("Someone else changed other parts of this workflow. Your changes and theirs are merged.", {
        id: "merged",
      });
  }, [merges]);
  return hasConflict ? <OpenConflict /> : null;
}

function OpenConflict() {
  const lastChange = useDraft((draft) => draft.presence.lastChange);
  const [isComparing, setComparing] = useState(false);
  const { busy, settle } = useSettlement();
  const choice = (name: Choice, label: string) => (
    <Button size="sm" isBusy={busy === name} disabled={busy !== null} onClick={() => void settle(name)}>
      {label}
    </Button>
  );
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 border-b border-border bg-warn-bg px-4 py-2 text-warn"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <p className="min-w-56 flex-1">
        {lastChange === null
          ? "This workflow changed elsewhere while you were editing."
          : `${lastChange.actor.name} changed this workflow ${formatRelative(lastChange.atMs, Date.now())}, while you were editing.`}{" "}
        Your changes are kept here but not saved.
      </p>
      <Button size="sm" onClick={() => setComparing(true)}>
        View changes
      </Button>
      {choice("theirs", "Take theirs")}
      {choice("mine", "Keep mine")}
      {choice("copy", "Save mine as a copy")}
      <Suspense>{isComparing ? <ConflictDialog onClose={() => setComparing(false)} /> : null}</Suspense>
    </div>
  );
}

function useSettlement(): { busy: Choice | null; settle: (choice: Choice) => Promise<void> } {
  const router = useRouter();
  const { takeTheirs, keepMine, copyMine } = useDraftSession();
  const [busy, setBusy] = useState<Choice | null>(null);
  async function carryOut(choice: Choice): Promise<void> {
    if (choice === "mine") return keepMine();
    if (choice === "theirs") {
      await takeTheirs();
      toast.message("This page now shows their version. Undo restores your steps and notes.");
      return;
    }
    const copyId = await copyMine();
    toast.message("Your version was saved as a separate workflow. This page now shows theirs.", {
      action: { label: "Open your copy", onClick: () => router.push(`/workflows/${copyId}`) },
    });
  }
  async function settle(choice: Choice): Promise<void> {
    setBusy(choice);
    try {
      await carryOut(choice);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "That didn't work. Try again.");
    } finally {
      setBusy(null);
    }
  }
  return { busy, settle };
}
