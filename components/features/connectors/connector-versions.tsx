import type { ConnectorVersionObject, CustomConnectorObject } from "#lib/contract/connector/connector";
import { ChangeList, isUnchanged } from "@/components/features/connectors/change-list";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/words/relative-time";

/** Lists the builds of a connector, newest first: what each changed, and which published workflows use it. */
export function ConnectorVersions({ connector }: { connector: CustomConnectorObject }) {
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <p className="text-text-2">
        Drafts and tests use the latest version. A published workflow keeps its version until you publish it again.
      </p>
      <ol className="divide-y divide-border rounded-2 border border-border">
        {connector.versions.map((version) => (
          <li key={version.version} className="flex flex-col gap-2 px-3 py-3">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-mono font-medium">v{version.version}</span>
              <span className="text-text-2">
                <RelativeTime at={version.created_at} />
                {version.created_by === null ? null : ` by ${version.created_by}`}
              </span>
            </p>
            <Changes version={version} />
            {version.used_by.length === 0 ? null : (
              <p className="text-dense text-text-2">
                Used by{" "}
                {version.used_by.map((use, index) => (
                  <span key={use.workflow_id}>
                    {index === 0 ? null : ", "}
                    <Link href={`/workflows/${use.workflow_id}`} className="link">
                      {use.name} v{use.version}
                    </Link>
                  </span>
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Changes({ version: { version, changes } }: { version: ConnectorVersionObject }) {
  if (changes !== null && !isUnchanged(changes)) return <ChangeList changes={changes} />;
  const words = version === 1 ? "The first version." : changes === null ? "Changes unknown." : "No change.";
  return <p className="text-dense text-text-3">{words}</p>;
}
