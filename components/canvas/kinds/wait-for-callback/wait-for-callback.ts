import { Webhook } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { durationParts, words } from "@/components/canvas/kinds/summary-parts";

export const waitForCallbackCanvasKind: CanvasKind = {
  icon: Webhook,
  summarize: ({ expires_seconds: seconds }) => [
    words("Waits up to "),
    ...durationParts(seconds),
    words(" for a request"),
  ],
  form: async () =>
    (await import("@/components/canvas/kinds/wait-for-callback/wait-for-callback-form")).WaitForCallbackForm,
};
