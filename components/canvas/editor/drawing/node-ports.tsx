import { memo, type ReactNode } from "react";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";
import type { CardContent } from "@/components/canvas/editor/drawing/card-contents";
import { OpenOutput } from "@/components/canvas/editor/drawing/open-output";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { portKey } from "@/components/canvas/layout/plan-frame";
import { useEditor } from "@/components/canvas/store/draft-context";
import { Ports } from "@/components/canvas/view/ports";

interface NodePortsProps {
  content: CardContent;
  isConnectable: boolean;
  children: ReactNode;
}

/**
 * A step with its ports, and an add button for each branch: on its line, or at its port while it is not connected. They
 * are inside the step, so that the Tab key follows the graph: a step, then its branches, then the next step.
 */
export function NodePorts({ content, isConnectable, children }: NodePortsProps) {
  const { node, outputs, openHandles } = content;
  const orientation = useEditor((editor) => editor.orientation);
  return (
    <>
      <Ports
        hasInput={STEP_KINDS[node.type].hasInput}
        outputs={outputs}
        isConnectable={isConnectable}
        orientation={orientation}
      >
        {children}
      </Ports>
      {outputs.map((output, index) => {
        const isOpen = openHandles.includes(output.handle);
        if (!isConnectable) return null;
        return isOpen ? (
          <OpenOutput key={output.handle ?? ""} content={content} index={index} orientation={orientation} />
        ) : (
          <NodeAdds key={output.handle ?? ""} nodeId={node.id} handle={output.handle} />
        );
      })}
    </>
  );
}

const NONE: readonly never[] = [];

/** The add buttons on the lines of one branch. They are placed relative to the step that the branch belongs to. */
const NodeAdds = memo(function NodeAdds({ nodeId, handle }: { nodeId: string; handle: string | null }) {
  const adds = useDrawing((drawing) => drawing.adds.get(portKey(nodeId, handle)) ?? NONE);
  return adds.map(({ edgeId, label, x, y }) => (
    <span key={edgeId} className="edge-add absolute flex -translate-1/2" style={{ left: x, top: y }}>
      <AddButton spot={{ kind: "edge", edgeId }} label={label} />
    </span>
  ));
});
