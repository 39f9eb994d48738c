import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { FRAME_TOP } from "@/components/canvas/document/dimensions";
import type { NodeLight } from "@/components/canvas/store/node-light";
import type { CardModel } from "@/components/canvas/view/card-model";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { LightLine } from "@/components/canvas/view/light-line";
import { DisabledMark, PinnedMark } from "@/components/canvas/view/node-card";
import { SummaryLine } from "@/components/canvas/view/summary-line";

interface LoopFrameProps {
  model: CardModel;
  isSelected?: boolean;
  isDragging?: boolean;
  light?: NodeLight | null;
  isPinned?: boolean;
  /** Shown inside the frame, below its line of text. */
  children?: ReactNode;
}

/** A loop as a frame around its body, with its name in the border and its list below it. Fills its container. */
export function LoopFrame(props: LoopFrameProps) {
  const { model, isSelected = false, isDragging = false, light = null, isPinned = false, children } = props;
  const { type, name, step, summary, footer, isDisabled } = model;
  return (
    <div
      className={clsx(
        "loop-frame flex h-full w-full flex-col rounded-4 border-[1.5px] text-left",
        isSelected && "is-selected ring-3 ring-accent-weak",
        isDragging && "shadow-2",
        isDisabled && "border-dashed",
      )}
    >
      <div className="loop-title absolute top-0 left-4 flex max-w-[calc(50%-28px)] -translate-y-1/2 items-center gap-1.5 px-1.5">
        <KindTile type={type} isSmall />
        <span className={clsx("min-w-0 truncate font-semibold", isDisabled && "text-text-3")} title={name}>
          {name}
        </span>
        {isDisabled ? <DisabledMark /> : null}
      </div>
      <div
        className="card-detail flex shrink-0 items-center gap-3 px-4 pt-1.5 text-dense"
        style={{ height: FRAME_TOP }}
      >
        {footer?.tone === "err" ? (
          <p
            className="flex min-w-0 flex-1 items-center gap-1.5 rounded-2 bg-err-bg px-1.5 text-micro font-medium text-err"
            title={footer.title ?? footer.text}
          >
            <TriangleAlert aria-hidden className="size-3.5 shrink-0" strokeWidth={2} />
            <span className="min-w-0 truncate">{footer.text}</span>
          </p>
        ) : (
          <p className="min-w-0 flex-1 truncate text-text-2">
            <SummaryLine parts={summary} />
          </p>
        )}
        {light === null || footer?.tone === "err" ? null : <LightLine light={light} />}
        {isPinned ? <PinnedMark /> : null}
        <span className="shrink-0 text-micro text-text-2">Step {step}</span>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
