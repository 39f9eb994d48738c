import { ChevronLeft, ChevronRight } from "lucide-react";
import { createContext, type MouseEvent, use } from "react";
import { formatCount, formatNumber } from "#lib/support/format/format-number";

/** Selects the shown item of a loop; null shows all of them. */
export const ChooseItemContext = createContext<(loopId: string, index: number | null) => void>(() => undefined);

export interface ItemStepperProps {
  loopId: string;
  name: string;
  /** Null: all items. */
  index: number | null;
  count: number;
}

const ARROW =
  "flex size-6 items-center justify-center rounded-1 hover:bg-sunken disabled:opacity-40 dark:hover:bg-raised";

/** On the frame of a loop that ran: steps through its items one by one, or shows all together. */
export function ItemStepper({ loopId, name, index, count }: ItemStepperProps) {
  const choose = use(ChooseItemContext);
  const to = (next: number | null) => (event: MouseEvent) => {
    // Otherwise the same click would also select the frame below.
    event.stopPropagation();
    choose(loopId, next);
  };
  const here = index ?? -1;
  return (
    <fieldset className="nokey nodrag nopan pointer-events-auto absolute top-0 right-4 flex -translate-y-1/2 items-center rounded-2 border border-border bg-surface text-dense text-text-2">
      <legend className="sr-only">Items of {name}</legend>
      <button type="button" className={ARROW} aria-label="Previous item" disabled={here <= 0} onClick={to(here - 1)}>
        <ChevronLeft aria-hidden className="size-3.5" />
      </button>
      <button
        type="button"
        className="h-6 px-1 tabular-nums hover:text-text"
        aria-pressed={index === null}
        aria-label={
          index === null
            ? `All ${formatCount(count, "item")}`
            : `Item ${formatNumber(index + 1)} of ${formatNumber(count)}; show all`
        }
        onClick={to(null)}
      >
        {index === null ? `All ${count}` : `${index + 1}/${count}`}
      </button>
      <button
        type="button"
        className={ARROW}
        aria-label="Next item"
        disabled={here >= count - 1}
        onClick={to(here + 1)}
      >
        <ChevronRight aria-hidden className="size-3.5" />
      </button>
    </fieldset>
  );
}
