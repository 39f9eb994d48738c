import { Globe } from "lucide-react";
import type { CanvasKind, DraftData } from "@/components/canvas/kinds/canvas-kind";
import { chip, objectOf, type SummaryPart, withChips, wordOf, words } from "@/components/canvas/kinds/summary-parts";

export const connectorCanvasKind: CanvasKind = {
  icon: Globe,
  summarize: (data) => {
    // A draft without a connector is an HTTP request.
    const isHttp = data.connector === "http" || wordOf(data.connector) === "";
    return isHttp ? summarizeRequest(objectOf(data.params)) : summarizeCall(data);
  },
  form: async () => (await import("@/components/canvas/kinds/connector/connector-form")).ConnectorForm,
};

function summarizeRequest({ method, url }: DraftData): SummaryPart[] {
  const address = wordOf(url);
  if (address === "") return [words("No address yet")];
  return [words(`${wordOf(method) || "GET"} `), ...withChips(address.replace(/^https?:\/\//, ""))];
}

function summarizeCall({ connector, operation }: DraftData): SummaryPart[] {
  const call = wordOf(operation).replaceAll("_", " ");
  return call === "" ? [words("No operation yet")] : [words(`${wordOf(connector)}: `), chip(call)];
}
