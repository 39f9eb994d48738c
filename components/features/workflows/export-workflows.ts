import { callOperation } from "@/components/api/call-operation";

/** Downloads each workflow as its own JSON document, named after the workflow. */
export async function exportWorkflows(workflows: readonly { workflow_id: string; name: string }[]): Promise<void> {
  for (const { workflow_id: workflowId, name } of workflows) {
    const document = await callOperation("export_workflow", { workflow_id: workflowId });
    download(`${fileName(name)}.json`, JSON.stringify(document, null, 2));
  }
}

function fileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-").slice(0, 80) || "workflow";
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
