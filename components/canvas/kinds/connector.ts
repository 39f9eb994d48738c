import { Globe } from "lucide-react";
import type { CanvasKind, DraftData } from "@/components/canvas/kinds/canvas-kind";
import { chip, objectOf, type SummaryPart, text, withChips, wordOf } from "@/components/canvas/kinds/summary-parts";

export const connectorCanvasKind: CanvasKind = {
  icon: Globe,
  summarize: (data) => {
    // A draft that names no connector is a request.
    const isHttp = data.connector === "http" || wordOf(data.connector) === "";
    return isHttp ? summarizeRequest(objectOf(data.params)) : summarizeCall(data);
  },
};

function summarizeRequest({ method, url }: DraftData): SummaryPart[] {
  const address = wordOf(url);
  if (address === "") return [text("No address yet")];
  return [text(`${wordOf(method) || "GET"} `), ...withChips(address.replace(/^https?:\/\//, ""))];
}

function summarizeCall({ connector, operation }: DraftData): SummaryPart[] {
  const words = wordOf(operation).replaceAll("_", " ");
  return words === "" ? [text("No operation yet")] : [text(`${wordOf(connector)}: `), chip(words)];
}
