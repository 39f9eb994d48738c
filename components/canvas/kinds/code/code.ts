import { CodeXml } from "lucide-react";
import { formatCount } from "#lib/support/format/format-number";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const codeCanvasKind: CanvasKind = {
  icon: CodeXml,
  summarize: (data) => {
    const source = wordOf(data.source);
    if (source === "") return [words("No code yet")];
    const lines = source.split("\n").length;
    return [words(`Runs ${formatCount(lines, "line")} of TypeScript`)];
  },
  form: async () => (await import("@/components/canvas/kinds/code/code-form")).CodeForm,
};
