"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { exampleInput } from "@/components/features/actions/example-input";
import { curlRun } from "@/components/features/actions/snippets";
import { useSession } from "@/components/shell/session-context";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/lists/skeleton";

/** A call of the action that works when pasted, once the key is in the environment. */
export function FirstCall({ slug }: { slug: string }) {
  const { base_url: baseUrl } = useSession();
  const action = useOperation("get_action", { slug });
  if (action.data === undefined) return <Skeleton className="h-28 w-full" />;
  const code = curlRun({ baseUrl, slug, input: exampleInput(action.data) });
  return <CodeBlock label="Make a first call" snippets={[{ label: "curl", code }]} />;
}
