"use client";

import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { AUTH_WORDS } from "@/components/features/connectors/auth-words";
import { RouteList } from "@/components/features/connectors/route-list";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/lists/facts";
import { RelativeTime } from "@/components/words/relative-time";

interface ConnectorOperationsProps {
  connector: CustomConnectorObject;
  /** Null if the user can't call operations. */
  onTest: ((operation: string) => void) | null;
}

/** Shows a connector's settings and its operations. */
export function ConnectorOperationList({ connector, onTest }: ConnectorOperationsProps) {
  const { description, base_url: baseUrl, auth, created_by: by, updated_at: at } = connector;
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      {description === "" ? null : <p className="text-text-2 [overflow-wrap:anywhere]">{description}</p>}
      <Facts
        facts={[
          { label: "Slug", value: <code className="font-mono text-dense">{connector.connector}</code> },
          { label: "Base URL", value: <code className="font-mono text-dense">{baseUrl}</code> },
          {
            label: "Authentication",
            value: auth === "none" ? AUTH_WORDS.none : `${AUTH_WORDS[auth]}, with an HTTP API connection`,
          },
          { label: "Created by", value: by ?? "Former member" },
          { label: "Built", value: <RelativeTime at={at} /> },
        ]}
      />
      <RouteList
        routes={connector.operations}
        {...(onTest === null
          ? {}
          : {
              renderAction: ({ operation, name }) => (
                <Button size="sm" aria-label={`Test ${name}`} onClick={() => onTest(operation)}>
                  Test
                </Button>
              ),
            })}
      />
    </div>
  );
}
