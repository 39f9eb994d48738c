import { clsx } from "clsx";

interface ProgressBarProps {
  /** Its accessible name. */
  label: string;
  value: number;
  max: number;
  /** True for an amount of a limit, which can be used up. Otherwise, the bar shows work that ends. */
  isMeter?: boolean;
}

/** A bar that shows a part of a whole. Browsers draw their own elements for it differently, and not in our colors. */
export function ProgressBar({ label, value, max, isMeter = false }: ProgressBarProps) {
  const shown = Math.min(value, max);
  const range = {
    role: isMeter ? "meter" : "progressbar",
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": max,
    "aria-valuenow": shown,
  };
  return (
    <div {...range} className="h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className={clsx("h-full", isMeter && value >= max ? "bg-err" : "bg-accent")}
        style={{ width: `${(100 * shown) / max}%` }}
      />
    </div>
  );
}
