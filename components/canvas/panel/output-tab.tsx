"use client";

import type { GraphNode } from "#lib/contract/workflow/graph";
import { isEnd } from "@/components/canvas/document/branches-of";
import { type DataSource, dataOf } from "@/components/canvas/document/earlier-data";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useDeclaredOutputs } from "@/components/canvas/panel/fields/use-declared-outputs";
import { useAnalysis } from "@/components/canvas/store/draft-context";
import { StepResult } from "@/components/canvas/testing/step-result";
import { CopyButton } from "@/components/ui/copy-button";

/** Shows the step's last output, and the values that later steps can copy from it. */
export function OutputTab() {
  const { node } = usePanel();
  const analysis = useAnalysis();
  const catalog = useDeclaredOutputs(analysis, node.id, { withOwn: true });
  const source = dataOf({ ...analysis, catalog }, node);
  return (
    <>
      <StepResult node={node} name={source.name} />
      <OutputFields node={node} source={source} />
    </>
  );
}

function OutputFields({ node, source }: { node: GraphNode; source: DataSource }) {
  if (isEnd(node)) {
    return <p className="text-text-2">The run ends with this step and returns its fields to the caller.</p>;
  }
  return (
    <section aria-label="Data for later steps" className="flex flex-col gap-2 border-t border-border pt-4">
      <p className="text-text-2">
        Later steps refer to this step as <code className="font-mono text-dense text-text">{source.name}</code>.
      </p>
      {source.fields.length === 0 ? (
        <p className="text-dense text-text-3">This step has no output fields yet.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-border rounded-2 border border-border">
          {source.fields.map((field) => (
            <li key={field.expression} className="flex items-center gap-2 py-1 pr-1 pl-2.5">
              <div className="min-w-0 flex-1">
                <p className="font-mono text-dense [overflow-wrap:anywhere]">{field.expression}</p>
                {field.description === "" ? null : <p className="text-dense text-text-3">{field.description}</p>}
              </div>
              <span className="shrink-0 text-micro text-text-3">{field.type}</span>
              <CopyButton value={field.expression} label={`Copy ${field.expression}`} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
