import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { whereUsed } from "@/components/features/connections/where-used";
import { Link } from "@/components/ui/link";

/** Lists the workflows whose steps call a connector. */
export function ConnectorUses({ connector: { used_by: uses, name } }: { connector: CustomConnectorObject }) {
  if (uses.length === 0) {
    return (
      <p className="text-text-2">
        No workflow uses it yet. In a workflow, add an “HTTP request” step and choose {name} as its service.
      </p>
    );
  }
  return (
    <ul className="flex max-w-2xl flex-col divide-y divide-border rounded-2 border border-border">
      {uses.map((use) => (
        <li key={use.workflow_id} className="px-3 py-2">
          <Link href={`/workflows/${use.workflow_id}`} className="link">
            {use.name}
          </Link>{" "}
          <span className="text-text-2">{whereUsed(use)}</span>
        </li>
      ))}
    </ul>
  );
}
