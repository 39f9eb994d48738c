import { clsx } from "clsx";
import { Pin, TriangleAlert } from "lucide-react";
import {
  CARD_FOOTER_HEIGHT,
  CARD_HEADER_HEIGHT,
  CARD_WIDTH,
  SUMMARY_LINES_MAX,
  SUMMARY_PADDING,
} from "@/components/canvas/document/dimensions";
import type { NodeLight } from "@/components/canvas/store/node-light";
import type { CardModel } from "@/components/canvas/view/card-model";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { LIGHT_RINGS, LightLine } from "@/components/canvas/view/light-line";
import { SummaryLine } from "@/components/canvas/view/summary-line";

interface NodeCardProps {
  model: CardModel;
  isSelected?: boolean;
  isDragging?: boolean;
  /** The step's state in a run; shown at the foot if the step itself has no problem. */
  light?: NodeLight | null;
  /** Tests use a stored output instead of executing the step. */
  isPinned?: boolean;
}

/** One step of a workflow as a card. It depends only on its props, so the editor, lists and runs show the same card. */
export function NodeCard(props: NodeCardProps) {
  const { model, isSelected = false, isDragging = false, light = null, isPinned = false } = props;
  const { type, name, step, summary } = model;
  return (
    <div
      className={clsx(
        "rounded-3 border bg-surface text-left",
        isSelected ? "border-accent ring-3 ring-accent-weak" : restingBorder(light),
        isDragging ? "shadow-2" : "shadow-1",
      )}
      style={{ width: CARD_WIDTH }}
    >
      <div className="flex items-center gap-2 px-3 pt-1" style={{ height: CARD_HEADER_HEIGHT }}>
        <KindTile type={type} />
        <span className="min-w-0 flex-1 truncate font-semibold" title={name}>
          {name}
        </span>
        {isPinned ? <PinnedMark /> : null}
        <span className="card-detail shrink-0 text-micro text-text-3">Step {step}</span>
      </div>
      <div className="card-detail pr-3 pl-11" style={{ paddingBottom: SUMMARY_PADDING }}>
        <p
          className="overflow-hidden text-dense text-text-2 [overflow-wrap:anywhere]"
          style={{ display: "-webkit-box", WebkitBoxOrient: "vertical", WebkitLineClamp: SUMMARY_LINES_MAX }}
        >
          <SummaryLine parts={summary} />
        </p>
      </div>
      <CardFoot model={model} light={light} />
    </div>
  );
}

function restingBorder(light: NodeLight | null): string {
  return light === null ? "border-border hover:border-border-strong" : LIGHT_RINGS[light.status];
}

export function PinnedMark() {
  return (
    <span className="card-detail flex shrink-0 items-center gap-1 text-micro font-medium text-accent">
      <Pin aria-hidden className="size-3" strokeWidth={2} />
      Pinned
    </span>
  );
}

/** A problem takes precedence over the run state, and the run state over the facts. */
function CardFoot({ model: { footer }, light }: { model: CardModel; light: NodeLight | null }) {
  const isWrong = footer?.tone === "err";
  if (footer === null && light === null) return null;
  return (
    <div
      className={clsx(
        "card-detail flex items-center gap-1.5 rounded-b-[9px] border-t pr-3 text-micro",
        isWrong ? "border-err-bg bg-err-bg pl-3.5 font-medium text-err" : "border-border pl-11 text-text-3",
      )}
      style={{ height: CARD_FOOTER_HEIGHT }}
      title={light === null || isWrong ? (footer?.title ?? footer?.text) : undefined}
    >
      {isWrong ? <TriangleAlert aria-hidden className="size-3.5 shrink-0" strokeWidth={2} /> : null}
      {light !== null && !isWrong ? (
        <LightLine light={light} />
      ) : (
        <span className="min-w-0 truncate">{footer?.text}</span>
      )}
    </div>
  );
}
