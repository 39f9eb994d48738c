"use client";

import { useQuery } from "@tanstack/react-query";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";
import { canonicalJson } from "#lib/support/json";
import { useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { type ChangeWords, GraphChangeList } from "@/components/canvas/view/graph-change-list";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { Dialog } from "@/components/ui/overlays/dialog";

const SIDES: ChangeWords = {
  added: "Only in yours",
  removed: "Only in theirs",
  changed: "Different",
  was: "Theirs",
  now: "Yours",
};

/** Shows how the user's drawing differs from the one that another user saved; loads it again each time it opens. */
export function ConflictDialog({ onClose }: { onClose: () => void }) {
  const { readTheirs } = useDraftSession();
  const theirs = useQuery({ queryKey: ["conflict"], queryFn: () => readTheirs(), gcTime: 0 });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title="Compare versions"
      description="How your version differs from the one they saved."
    >
      <QueryView
        query={theirs}
        errorTitle="Couldn't load their version."
        skeleton={
          <>
            <LoadingLabel>Loading their version</LoadingLabel>
            <Skeleton className="h-12 w-full rounded-3" />
          </>
        }
      >
        {(read) => <Differences theirs={read} />}
      </QueryView>
    </Dialog>
  );
}

function Differences({ theirs }: { theirs: WorkflowDetailObject }) {
  const mine = useEditor((state) => state.definition);
  const notes = useEditor((state) => state.notes);
  const name = useEditor((state) => state.name);
  return (
    <div className="flex flex-col gap-3">
      {name === theirs.name ? null : (
        <p>
          The name is <strong className="font-semibold">{name}</strong> in your version and{" "}
          <strong className="font-semibold">{theirs.name}</strong> in theirs.
        </p>
      )}
      <GraphChangeList changes={compareDefinitions(theirs.definition, mine)} words={SIDES} />
      {canonicalJson(notes) === canonicalJson(theirs.notes ?? []) ? null : (
        <p className="text-text-2">The notes differ too.</p>
      )}
    </div>
  );
}
