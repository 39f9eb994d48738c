import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { PublishPreview } from "#lib/contract/publish";
import { callOperation } from "@/components/api/call-operation";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";

/**
 * Loads what publishing would check and change. The draft is saved first, so the preview shows exactly what will be
 * published; `draft_revision` proves that to the server.
 */
export function usePublishPreview(): UseQueryResult<PublishPreview, Error> {
  const { saveNow } = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  return useQuery({
    queryKey: ["preview_publish", workflowId],
    queryFn: async () => {
      if (!(await saveNow())) throw new Error("The draft isn't saved yet. Save it before you publish.");
      return callOperation("preview_publish", { workflow_id: workflowId });
    },
    // Never cached, and never refetched on its own while the dialog is open.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
