"use client";

import { useState } from "react";
import type { ApprovalRequestObject } from "#lib/contract/approval/approval";

interface ShownRequest {
  id: string | null;
  /** The request to show after this one. */
  nextId: string | null;
}

interface Page {
  /** Undefined while the page loads. */
  approvals: readonly ApprovalRequestObject[] | undefined;
  cursor: string | null;
  chosenId: string | null;
}

/**
 * Returns the chosen request, or else the first of the page. The list changes while other people decide; a request that
 * leaves it stays shown until the user moves on, so that no other request takes its place just before a click.
 */
export function useShownRequest({ approvals, cursor, chosenId }: Page): ShownRequest {
  const [last, setLast] = useState<ShownRequest & Pick<Page, "cursor">>({ cursor, id: null, nextId: null });
  const firstId = approvals?.[0]?.id ?? null;
  const id = chosenId ?? (last.cursor === cursor ? last.id : null) ?? firstId;
  if (approvals === undefined) return { id, nextId: null };

  const place = approvals.findIndex((approval) => approval.id === id);
  const isNextListed = last.id === id && approvals.some((approval) => approval.id === last.nextId);
  const nextOfLeft = isNextListed ? last.nextId : firstId;
  const neighbour = approvals[place + 1] ?? approvals[place - 1];
  const nextId = id !== null && place === -1 ? nextOfLeft : (neighbour?.id ?? null);
  const shown = { cursor, id: approvals.length === 0 ? null : id, nextId };
  if (shown.cursor !== last.cursor || shown.id !== last.id || shown.nextId !== last.nextId) setLast(shown);
  return { id, nextId };
}
