"use client";

import type { WebOperations } from "#lib/api/operations/web-operations";
import { WORKFLOW_SORTS, WORKFLOW_STATES, WORKFLOW_TYPES, type WorkflowSort } from "#lib/contract/workflow/workflow";
import { choiceCodec, flagCodec, optionalTextCodec, textCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const CODECS = {
  q: textCodec,
  type: choiceCodec(WORKFLOW_TYPES, null),
  state: choiceCodec(WORKFLOW_STATES, null),
  tag: optionalTextCodec,
  sort: choiceCodec(WORKFLOW_SORTS, "updated"),
};
const DIALOGS = { new: flagCodec, import: flagCodec };

/** The filters and the order of the list, kept in the URL. */
export function useWorkflowFilters() {
  return useUrlState(CODECS);
}
export type WorkflowFilters = ReturnType<typeof useWorkflowFilters>[0];

/** The dialog that is open over the list: `?new=true`, `?import=true`. */
export function useListDialogs() {
  return useUrlState(DIALOGS);
}

export function isWorkflowListFiltered({ q, type, state, tag }: WorkflowFilters): boolean {
  return q !== "" || type !== null || state !== null || tag !== null;
}

const ORDERS: Record<WorkflowSort, "asc" | "desc"> = { created: "desc", updated: "desc", name: "asc" };

export function listInput({ q, type, state, tag, sort }: WorkflowFilters): WebOperations["list_workflows"]["input"] {
  return {
    sort,
    order: ORDERS[sort],
    ...(q === "" ? {} : { q }),
    ...(type === null ? {} : { type }),
    ...(state === null ? {} : { state }),
    ...(tag === null ? {} : { tag }),
  };
}
