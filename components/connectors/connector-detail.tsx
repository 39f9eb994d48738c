"use client";

import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import type { CustomConnectorObject } from "#lib/contract/connector";
import { ClientError } from "@/components/api/client-error";
import { useOperation } from "@/components/api/operation-hooks";
import { ConnectorOperations } from "@/components/connectors/connector-operations";
import { ConnectorUses } from "@/components/connectors/connector-uses";
import { ConnectorVersions } from "@/components/connectors/connector-versions";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { choiceCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const OperationTest = lazy(() =>
  import("@/components/connectors/operation-test").then((m) => ({ default: m.OperationTest })),
);
const DeleteConnectorDialog = lazy(() =>
  import("@/components/connectors/delete-connector-dialog").then((m) => ({ default: m.DeleteConnectorDialog })),
);

const TABS = ["operations", "test", "versions", "uses"] as const;
type Tab = (typeof TABS)[number];
const TAB_LABELS: Record<Tab, string> = {
  operations: "Operations",
  test: "Test",
  versions: "Versions",
  uses: "Used by",
};
const CODECS = { tab: choiceCodec(TABS, "operations"), operation: optionalTextCodec };
const TRAIL = [{ label: "Connectors", href: "/connections/connectors" }];

export function ConnectorDetail({ connector }: { connector: string }) {
  const query = useOperation("get_custom_connector", { connector });
  if (query.data !== undefined) return <LoadedConnector connector={query.data} />;
  if (query.isPending) {
    return (
      <>
        <PageHeader title={connector} trail={TRAIL} />
        <LoadingLabel>Loading the connector</LoadingLabel>
        <Skeleton className="m-6 h-64" />
      </>
    );
  }
  const isMissing = query.error instanceof ClientError && query.error.status === 404;
  return (
    <>
      <PageHeader title={isMissing ? "Not found" : connector} trail={TRAIL} />
      {isMissing ? (
        <EmptyState
          title="There is no such connector"
          action={
            <Button asChild>
              <Link href="/connections/connectors">All connectors</Link>
            </Button>
          }
        >
          No connector of this workspace has the slug “{connector}”.
        </EmptyState>
      ) : (
        <ErrorState
          title="The connector could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
    </>
  );
}

function LoadedConnector({ connector }: { connector: CustomConnectorObject }) {
  const [{ tab, operation }, setUrl] = useUrlState(CODECS);
  const [isDeleting, setDeleting] = useState(false);
  const canEdit = useHasRole("editor");
  const test = (name: string) => setUrl({ tab: "test", operation: name }, "push");
  const contents: Record<Tab, React.ReactNode> = {
    operations: <ConnectorOperations connector={connector} onTest={canEdit ? test : null} />,
    test: <OperationTest connector={connector} operation={operation} onChoose={test} />,
    versions: <ConnectorVersions connector={connector} />,
    uses: <ConnectorUses connector={connector} />,
  };
  return (
    <>
      <PageHeader
        title={connector.name}
        trail={TRAIL}
        actions={
          canEdit ? (
            <>
              <Button variant="danger" onClick={() => setDeleting(true)}>
                Delete
              </Button>
              <Button variant="primary" asChild>
                <Link href={`/connections/build?of=${connector.connector}`}>New version</Link>
              </Button>
            </>
          ) : undefined
        }
      >
        <span className="hidden sm:inline">
          <Badge>v{connector.version}</Badge>
        </span>
      </PageHeader>
      <Tabs
        label="Parts of the connector"
        value={tab}
        onChange={(next) => setUrl({ tab: next }, "push")}
        listClassName="px-4"
        panelClassName="p-4 sm:py-6"
        tabs={TABS.map((value) => ({
          value,
          label: TAB_LABELS[value],
          content: <Suspense fallback={<Skeleton className="h-64 w-full" />}>{contents[value]}</Suspense>,
        }))}
      />
      {isDeleting ? (
        <Suspense>
          <DeleteConnectorDialog connector={connector} onClose={() => setDeleting(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
