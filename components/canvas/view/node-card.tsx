import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
import {
  CARD_FOOTER_HEIGHT,
  CARD_HEADER_HEIGHT,
  CARD_WIDTH,
  SUMMARY_LINES_MAX,
  SUMMARY_PADDING,
} from "@/components/canvas/dimensions";
import type { CardModel } from "@/components/canvas/view/card-model";
import { KindTile } from "@/components/canvas/view/kind-tile";
import { SummaryLine } from "@/components/canvas/view/summary-line";

interface NodeCardProps {
  model: CardModel;
  isSelected?: boolean;
  isDragging?: boolean;
}

/** One step of a workflow as a card. Props in, nothing else: it stands in the editor, in lists and over runs alike. */
export function NodeCard({ model, isSelected = false, isDragging = false }: NodeCardProps) {
  const { kind, name, step, summary, footer } = model;
  return (
    <div
      className={clsx(
        "rounded-3 border bg-surface text-left",
        isSelected ? "border-accent ring-3 ring-accent-weak" : "border-border hover:border-border-strong",
        isDragging ? "shadow-2" : "shadow-1",
      )}
      style={{ width: CARD_WIDTH }}
    >
      <div className="flex items-center gap-2 px-3 pt-1" style={{ height: CARD_HEADER_HEIGHT }}>
        <KindTile kind={kind} />
        <span className="min-w-0 flex-1 truncate font-semibold" title={name}>
          {name}
        </span>
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
      {footer === null ? null : (
        <p
          className={clsx(
            "card-detail flex items-center gap-1.5 rounded-b-[9px] border-t pr-3 text-micro",
            footer.tone === "err"
              ? "border-err-bg bg-err-bg pl-3.5 font-medium text-err"
              : "border-border pl-11 text-text-3",
          )}
          style={{ height: CARD_FOOTER_HEIGHT }}
          title={footer.title ?? footer.text}
        >
          {footer.tone === "err" ? <TriangleAlert aria-hidden className="size-3.5 shrink-0" strokeWidth={2} /> : null}
          <span className="min-w-0 truncate">{footer.text}</span>
        </p>
      )}
    </div>
  );
}
