import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Text token on its background token. */
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
  /** Dashed outline instead of a fill: a draft, not yet live. */
  isDraft?: boolean;
  title?: string;
  children: ReactNode;
}

/** 22 px; says a state in a word, an icon and a colour, never in colour alone. */
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
