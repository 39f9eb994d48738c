"use client";

import { useQuery } from "@tanstack/react-query";
import type { WorkflowDetailObject } from "#lib/contract/workflow";
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

/** How the user's drawing and the one that another user saved differ, read again whenever it is opened. */
export function ConflictDialog({ onClose }: { onClose: () => void }) {
  const { readTheirs } = useDraftSession();
  const theirs = useQuery({ queryKey: ["conflict"], queryFn: () => readTheirs(), gcTime: 0 });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title="Yours and theirs"
      description="What they saved, and what is here."
    >
      <QueryView
        query={theirs}
        errorTitle="Their version could not be loaded."
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
          The name is <strong className="font-semibold">{name}</strong> in yours and{" "}
          <strong className="font-semibold">{theirs.name}</strong> in theirs.
        </p>
      )}
      <GraphChangeList changes={compareDefinitions(theirs.definition, mine)} words={SIDES} />
      {canonicalJson(notes) === canonicalJson(theirs.notes ?? []) ? null : (
        <p className="text-text-2">The notes beside the steps differ, too.</p>
      )}
    </div>
  );
}
