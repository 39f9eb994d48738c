import { UserCheck } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { text, withChips, wordOf } from "@/components/canvas/kinds/summary-parts";

export const approvalCanvasKind: CanvasKind = {
  icon: UserCheck,
  summarize: ({ message }) => {
    const question = wordOf(message);
    return question === "" ? [text("Waits for a person")] : [text("Asks: "), ...withChips(question)];
  },
};
