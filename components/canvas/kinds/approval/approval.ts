import { UserCheck } from "lucide-react";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { withChips, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const approvalCanvasKind: CanvasKind = {
  icon: UserCheck,
  summarize: ({ message }) => {
    const question = wordOf(message);
    return question === "" ? [words("Waits for a person")] : [words("Asks: "), ...withChips(question)];
  },
  form: async () => (await import("@/components/canvas/kinds/approval/approval-form")).ApprovalForm,
};
