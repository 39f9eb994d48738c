import { clsx } from "clsx";
import { TriangleAlert } from "lucide-react";
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
        "node-card w-[280px] rounded-3 border bg-surface text-left",
        isSelected ? "border-accent ring-3 ring-accent-weak" : "border-border hover:border-border-strong",
        isDragging ? "shadow-2" : "shadow-1",
      )}
    >
      <div className="flex h-9 items-center gap-2 px-3 pt-1">
        <KindTile kind={kind} />
        <span className="min-w-0 flex-1 truncate font-semibold" title={name}>
          {name}
        </span>
        <span className="card-detail shrink-0 text-micro text-text-3">Step {step}</span>
      </div>
      <p className="card-detail line-clamp-2 pr-3 pb-3 pl-11 text-dense text-text-2 [overflow-wrap:anywhere]">
        <SummaryLine parts={summary} />
      </p>
      {footer === null ? null : (
        <p
          className={clsx(
            "card-detail flex h-[29px] items-center gap-1.5 rounded-b-[9px] border-t pr-3 text-micro",
            footer.tone === "err"
              ? "border-err-bg bg-err-bg pl-3.5 font-medium text-err"
              : "border-border pl-11 text-text-3",
          )}
          title={footer.title ?? footer.text}
        >
          {footer.tone === "err" ? <TriangleAlert aria-hidden className="size-3.5 shrink-0" strokeWidth={2} /> : null}
          <span className="min-w-0 truncate">{footer.text}</span>
        </p>
      )}
    </div>
  );
}
