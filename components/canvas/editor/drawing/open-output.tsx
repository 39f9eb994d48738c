import { clsx } from "clsx";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import { nodeLabel } from "#lib/core/steps/node-data";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";
import type { CardContent } from "@/components/canvas/editor/drawing/card-contents";
import { describePort } from "@/components/canvas/layout/plan-frame";
import { PORT_RADIUS } from "@/components/canvas/lines/line-sizes";
import { turnBox, turnPoint } from "@/components/canvas/lines/orientation";
import { labelBox, openAdd, quietAdd } from "@/components/canvas/lines/port-parts";
import { portPlace, portStyle } from "@/components/canvas/lines/port-places";
import { BranchLabel } from "@/components/canvas/view/branch-label";

interface OpenOutputProps {
  content: CardContent;
  /** The place of the branch among the node's outputs. */
  index: number;
  orientation: Orientation;
}

/**
 * A branch that is not connected yet: the start of a line, the branch label, and a button that adds a step. That of a
 * failure appears with the pointer or the selection, because most steps never need it.
 */
export function OpenOutput({ content, index, orientation }: OpenOutputProps) {
  const { node, outputs, depth } = content;
  const output = outputs[index];
  if (output === undefined) return null;
  const place = portStyle(portPlace(outputs, index, orientation));
  const port = describePort({ outputs, orientation }, index, true);
  const isQuiet = output.isFailure === true && orientation === "vertical";
  const add = turnPoint(isQuiet ? quietAdd(port) : openAdd(port), orientation);
  const box = labelBox(port);
  const label = box === null ? null : turnBox(box, orientation);
  const isVertical = orientation === "vertical";
  const branch = output.label === "" ? "" : `, branch ${output.label}`;
  return (
    <div
      className={clsx("open-output absolute size-0", output.isFailure && "of-failure")}
      style={isVertical ? { left: place, top: "100%" } : { left: "100%", top: place }}
    >
      <span
        aria-hidden
        className={clsx(
          "absolute border-dashed",
          isVertical ? "border-l-[1.6px]" : "border-t-[1.6px]",
          output.isFailure ? "border-err" : "border-border-strong",
        )}
        style={
          isVertical
            ? { top: PORT_RADIUS, height: add.y - PORT_RADIUS }
            : { left: PORT_RADIUS, width: add.x - PORT_RADIUS }
        }
      />
      {label === null ? null : (
        <span
          className={clsx(
            "absolute flex",
            port.isUpright ? "items-start" : "items-center",
            isVertical && !port.isUpright && "justify-center",
          )}
          style={{ left: label.x, top: label.y, width: label.width, height: label.height }}
        >
          <BranchLabel size={label} isUpright={port.isUpright} depth={depth} isFailure={output.isFailure ?? false}>
            {output.label}
          </BranchLabel>
        </span>
      )}
      <span className="absolute flex -translate-1/2" style={{ left: add.x, top: add.y }}>
        <AddButton
          spot={{ kind: "after", source: node.id, sourceHandle: output.handle }}
          label={`Add a step after ${nodeLabel(node)}${branch}`}
        />
      </span>
    </div>
  );
}
