import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** The text token on the background token of a tone. */
export const TONES = {
  ok: "bg-ok-bg text-ok",
  warn: "bg-warn-bg text-warn",
  err: "bg-err-bg text-err",
  wait: "bg-wait-bg text-wait",
  timeout: "bg-timeout-bg text-timeout",
  idle: "bg-idle-bg text-idle",
  run: "bg-run-bg text-run",
} as const;
export type Tone = keyof typeof TONES;

interface ChipProps {
  tone?: Tone;
  icon?: LucideIcon;
  isSpinning?: boolean;
  /** A dashed outline instead of a fill, for a draft. */
  isDraft?: boolean;
  title?: string;
  children: ReactNode;
}

/** A 22 px chip that shows a status as a word, an icon and a color, never as a color alone. */
export function Chip({ tone = "idle", icon: Icon, isSpinning = false, isDraft = false, title, children }: ChipProps) {
  return (
    <span
      title={title}
      className={clsx(
        "inline-flex h-[22px] shrink-0 items-center gap-1 rounded-full px-2 text-dense font-medium whitespace-nowrap",
        isDraft ? "border border-dashed border-border-strong text-text-2" : TONES[tone],
      )}
    >
      {Icon === undefined ? null : (
        <Icon aria-hidden className={clsx("size-3", isSpinning && "animate-spin")} strokeWidth={2.25} />
      )}
      {children}
    </span>
  );
}
