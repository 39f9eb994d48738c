import type { Tone } from "@/components/ui/chip";

/** The text token of a tone, for a status word directly on the page's background. */
export const TONE_TEXT: Record<Tone, string> = {
  ok: "text-ok",
  warn: "text-warn",
  err: "text-err",
  wait: "text-wait",
  timeout: "text-timeout",
  idle: "text-idle",
  run: "text-run",
};
