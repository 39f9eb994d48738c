import { ArrowRightFromLine } from "lucide-react";
import type { CanvasKind, KindVariant } from "@/components/canvas/kinds/canvas-kind";
import { listOf, summarizeNames } from "@/components/canvas/kinds/summary-parts";

/** An output with a status and a body is the response of a webhook that responds with what the run returns. */
const RESPONSE = [
  { name: "status", type: "number", required: true, value: "200" },
  { name: "headers", type: "object", required: false, value: "{}" },
  { name: "body", type: "object", required: false, value: '{ "ok": true }' },
];

const PRESETS: readonly KindVariant[] = [
  {
    id: "response",
    title: "Respond to webhook",
    description: "Set the status, headers, and body that the sender of a webhook gets",
    keywords: "http reply answer synchronous html json redirect",
    newData: () => ({ properties: RESPONSE }),
  },
];

export const returnOutputCanvasKind: CanvasKind = {
  icon: ArrowRightFromLine,
  presets: PRESETS,
  summarize: ({ properties }) => summarizeNames("Returns", "Returns an empty object", listOf(properties)),
  form: async () => (await import("@/components/canvas/kinds/return-output/return-output-form")).ReturnOutputForm,
};
