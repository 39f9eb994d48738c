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
import type { CardFooter, CardModel } from "@/components/canvas/view/card-model";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { LIGHT_RINGS, LightLine } from "@/components/canvas/view/light-line";
import { SummaryLine } from "@/components/canvas/view/summary-line";

interface NodeCardProps {
  model: CardModel;
  isSelected?: boolean;
  isDragging?: boolean;
  /** The step's state in a run, shown on the card's border: a run never changes the size of a card. */
  light?: NodeLight | null;
  /** Tests use a stored output instead of executing the step. */
  isPinned?: boolean;
  /** The height that the ports on the card's side need. */
  minHeight?: number;
}

/** One step of a workflow as a card. It depends only on its props, so the editor, lists and runs show the same card. */
export function NodeCard(props: NodeCardProps) {
  const { model, isSelected = false, isDragging = false, light = null, isPinned = false, minHeight } = props;
  const { type, app, name, step, summary, footer, isDisabled } = model;
  return (
    <div
      className={clsx(
        "relative flex flex-col rounded-3 border bg-surface text-left",
        footer?.tone === "err" && "has-problem",
        isSelected ? "border-accent ring-3 ring-accent-weak" : restingBorder(light),
        isDragging ? "shadow-2" : "shadow-1",
        isDisabled && "border-dashed bg-surface-2",
      )}
      style={{ width: CARD_WIDTH, minHeight }}
    >
      {light === null ? null : <LightChip light={light} />}
      <div className="shrink-0" style={{ height: CARD_HEADER_HEIGHT }}>
        <div className="card-head flex h-full items-center gap-2 px-3 pt-1">
          <span className={isDisabled ? "opacity-50 grayscale" : undefined}>
            <KindTile type={type} app={app} />
          </span>
          <span
            className={clsx("card-name min-w-0 flex-1 truncate font-semibold", isDisabled && "text-text-3")}
            title={name}
          >
            {name}
          </span>
          {isDisabled ? <DisabledMark /> : null}
          {isPinned ? <PinnedMark /> : null}
          <span className="card-detail shrink-0 text-micro text-text-3">Step {step}</span>
        </div>
      </div>
      <div className="card-detail shrink-0 pr-3 pl-11" style={{ paddingBottom: SUMMARY_PADDING }}>
        <p
          className={clsx(
            "overflow-hidden text-dense [overflow-wrap:anywhere]",
            isDisabled ? "text-text-3" : "text-text-2",
          )}
          style={{ display: "-webkit-box", WebkitBoxOrient: "vertical", WebkitLineClamp: SUMMARY_LINES_MAX }}
        >
          <SummaryLine parts={summary} />
        </p>
      </div>
      {footer === null ? null : <CardFoot footer={footer} />}
    </div>
  );
}

function restingBorder(light: NodeLight | null): string {
  return light === null ? "border-border hover:border-border-strong" : LIGHT_RINGS[light.status];
}

export function DisabledMark() {
  return <span className="card-detail shrink-0 text-micro font-medium text-text-2">Disabled</span>;
}

export function PinnedMark() {
  return (
    <span className="card-detail flex shrink-0 items-center gap-1 text-micro font-medium text-accent">
      <Pin aria-hidden className="size-3" strokeWidth={2} />
      Pinned
    </span>
  );
}

/** The state of a run on the card's upper border, next to the input port. */
function LightChip({ light }: { light: NodeLight }) {
  return (
    <span className="card-detail pointer-events-none absolute -top-[11px] right-2.5 flex h-[22px] max-w-[calc(100%-20px)] rounded-full border border-border bg-surface px-2 text-micro shadow-1">
      <LightLine light={light} />
    </span>
  );
}

/** A problem, or else a fact about the step. */
function CardFoot({ footer: { tone, text, title } }: { footer: CardFooter }) {
  const isWrong = tone === "err";
  return (
    <div
      className={clsx(
        "card-detail mt-auto flex shrink-0 items-center gap-1.5 rounded-b-[9px] border-t pr-3 text-micro",
        isWrong ? "border-err-bg bg-err-bg pl-3.5 font-medium text-err" : "border-border pl-11 text-text-3",
      )}
      style={{ height: CARD_FOOTER_HEIGHT }}
      title={title ?? text}
    >
      {isWrong ? <TriangleAlert aria-hidden className="size-3.5 shrink-0" strokeWidth={2} /> : null}
      <span className="min-w-0 truncate">{text}</span>
    </div>
  );
}
