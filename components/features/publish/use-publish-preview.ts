import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { PublishPreview } from "#lib/contract/publish";
import { callOperation } from "@/components/api/call-operation";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";

/**
 * What publishing would meet and change. The draft is saved first: what is shown here is what will be published, and
 * `draft_revision` says so to the server.
 */
export function usePublishPreview(): UseQueryResult<PublishPreview, Error> {
  const { saveNow } = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  return useQuery({
    queryKey: ["preview_publish", workflowId],
    queryFn: async () => {
      if (!(await saveNow())) throw new Error("The draft is not saved yet, so it cannot be published. Save it first.");
      return callOperation("preview_publish", { workflow_id: workflowId });
    },
    // Never yesterday's answer, and never again by itself while the dialog stands open.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
