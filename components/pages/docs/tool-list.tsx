import type { ReferenceTool } from "#lib/contract/openapi/api-reference";
import { formatCount } from "#lib/support/format/format-number";
import { FieldList, fieldsOf } from "@/components/pages/docs/field-list";
import { Prose } from "@/components/pages/docs/prose";
import { Badge } from "@/components/ui/badge";

/** The tools of the MCP server, in the order in which agents see them. */
export function ToolList({ tools }: { tools: readonly ReferenceTool[] }) {
  return (
    <ul aria-label="Tools" className="divide-y divide-border rounded-3 border border-border">
      {tools.map((tool) => (
        <li key={tool.name} id={`tool-${tool.name}`} className="flex scroll-mt-16 flex-col gap-1 px-3 py-2">
          <p className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-dense font-medium">{tool.name}</code>
            {tool.scopes.map((scope) => (
              <Badge key={scope} title="The scope that the key needs">
                <span className="font-mono">{scope}</span>
              </Badge>
            ))}
            {tool.isReadOnly ? <span className="text-dense text-text-3">reads only</span> : null}
          </p>
          <p className="text-text-2">
            <Prose text={tool.description} />
          </p>
          <Arguments tool={tool} />
        </li>
      ))}
    </ul>
  );
}

function Arguments({ tool }: { tool: ReferenceTool }) {
  const fields = fieldsOf({ properties: tool.properties, required: tool.required }, true);
  if (fields.length === 0) return null;
  return (
    <details>
      <summary className="w-fit rounded-1 text-dense text-text-2 hover:text-text">
        {formatCount(fields.length, "argument")}
      </summary>
      <div className="pt-2">
        <FieldList label={`Arguments of ${tool.name}`} fields={fields} />
      </div>
    </details>
  );
}
