import { useEffect, useState } from "react";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { callOperation } from "@/components/api/call-operation";

/** The state of a typed slug. */
export type SlugCheck =
  | { kind: "empty" }
  | { kind: "checking" }
  | { kind: "available" }
  | { kind: "refused"; message: string };

const WAIT_MS = 300;
const FORMAT = "Use lowercase letters, digits and hyphens, up to 64 characters. Start and end with a letter or digit.";

/** Checks the slug while the publisher types: the format here, the uniqueness on the server. */
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
    return available ? { kind: "available" } : { kind: "refused", message: message ?? "This slug can't be used." };
  } catch (error) {
    return { kind: "refused", message: error instanceof Error ? error.message : "Couldn't check the slug." };
  }
}
