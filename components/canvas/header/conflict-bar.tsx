"use client";

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";
import { describeSince } from "@/components/ui/format-time";
import { toast } from "@/components/ui/toast";

/** Somebody else saved first: a bar, not a dialog, because the drawing may be what one has to look at to decide. */
export function ConflictBar() {
  const isConflict = useDraft((draft) => draft.status.kind === "conflict");
  const lastChange = useDraft((draft) => draft.presence.lastChange);
  const { takeTheirs, keepMine } = useDraftSession();
  const [busy, setBusy] = useState<"theirs" | "mine" | null>(null);
  if (!isConflict) return null;
  async function settle(choice: "theirs" | "mine") {
    setBusy(choice);
    try {
      await (choice === "theirs" ? takeTheirs() : keepMine());
      if (choice === "theirs") toast.message("Their version is shown. Undo brings yours back.");
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "That did not work. Try again.");
    } finally {
      setBusy(null);
    }
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border bg-warn-bg px-4 py-2 text-warn"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <p className="min-w-0 flex-1">
        {lastChange === null
          ? "This workflow was changed elsewhere while you edited it."
          : `This workflow was changed elsewhere while you edited it: by ${lastChange.actor.name}, ${describeSince(lastChange.atMs, Date.now())}.`}{" "}
        Your changes are kept here and not saved.
      </p>
      <Button size="sm" isBusy={busy === "theirs"} disabled={busy !== null} onClick={() => void settle("theirs")}>
        Take theirs
      </Button>
      <Button size="sm" isBusy={busy === "mine"} disabled={busy !== null} onClick={() => void settle("mine")}>
        Keep mine
      </Button>
    </div>
  );
}
