"use client";

import { useMemo } from "react";
import { loopsAround } from "@/components/canvas/document/frames";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { previewOf } from "@/components/canvas/samples/known-values";
import { useAnalysis, useKnown } from "@/components/canvas/store/draft-context";

/** Shows under a field the value that its expressions have with the last outputs. */
export function ResolvedPreview({ template, isUrl }: { template: unknown; isUrl: boolean }) {
  const { node } = usePanel();
  const analysis = useAnalysis();
  const known = useKnown();
  const preview = useMemo(() => {
    const loops = [node.id, ...loopsAround(analysis.index.definition, node.id)];
    return previewOf(template, analysis, known, loops, { isUrl });
  }, [template, analysis, known, node.id, isUrl]);
  if (preview === null) return null;
  if (preview.kind === "unknown") {
    return <p className="truncate text-dense text-text-3">Run {preview.labels.join(", ")} to see a value.</p>;
  }
  if (preview.kind === "refused") {
    return <p className="text-dense text-warn [overflow-wrap:anywhere]">With the last values, {preview.text}</p>;
  }
  return (
    <p className="truncate font-mono text-dense text-text-3" title={preview.text}>
      <span className="sr-only">With the last values: </span>
      <span aria-hidden>= </span>
      {preview.text}
    </p>
  );
}
