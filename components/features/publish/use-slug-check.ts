import { useEffect, useState } from "react";
import { SLUG_PATTERN } from "#lib/contract/action";
import { callOperation } from "@/components/api/call-operation";

/** Where a typed slug stands. */
export type SlugCheck =
  | { kind: "empty" }
  | { kind: "checking" }
  | { kind: "available" }
  | { kind: "refused"; message: string };

const WAIT_MS = 300;
const FORMAT = "Lower-case letters, digits and hyphens inside, 64 characters at most.";

/** Asks the server while the publisher types: format here, uniqueness there. */
export function useSlugCheck(slug: string, workflowId: string): SlugCheck {
  const [answer, setAnswer] = useState<{ slug: string; check: SlugCheck } | null>(null);
  const isWellFormed = SLUG_PATTERN.test(slug);
  useEffect(() => {
    if (!isWellFormed) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const check = await askServer(slug, workflowId);
      if (isCurrent) setAnswer({ slug, check });
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [slug, workflowId, isWellFormed]);
  if (slug === "") return { kind: "empty" };
  if (!isWellFormed) return { kind: "refused", message: FORMAT };
  return answer?.slug === slug ? answer.check : { kind: "checking" };
}

async function askServer(slug: string, workflowId: string): Promise<SlugCheck> {
  try {
    const { available, message } = await callOperation("check_slug", { slug, workflow_id: workflowId });
    return available ? { kind: "available" } : { kind: "refused", message: message ?? "This slug cannot be used." };
  } catch (error) {
    return { kind: "refused", message: error instanceof Error ? error.message : "The slug could not be checked." };
  }
}
