"use client";

import { lazy, Suspense, useState } from "react";
import type { CustomConnectorObject } from "#lib/contract/connector/connector";
import { useOperation } from "@/components/api/operation-hooks";
import { ConnectorOperationList } from "@/components/features/connectors/connector-operation-list";
import { ConnectorUses } from "@/components/features/connectors/connector-uses";
import { ConnectorVersions } from "@/components/features/connectors/connector-versions";
import { DetailFailure } from "@/components/shell/detail-failure";
import { DetailTabs } from "@/components/shell/detail-tabs";
import { useHasRole } from "@/components/shell/session-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/lists/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { choiceCodec, optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const OperationTest = lazy(() =>
  import("@/components/features/connectors/operation-test").then((m) => ({ default: m.OperationTest })),
);
const DeleteConnectorDialog = lazy(() =>
  import("@/components/features/connectors/delete-connector-dialog").then((m) => ({
    default: m.DeleteConnectorDialog,
  })),
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
const LIST = { label: "Connectors", href: "/connections/connectors" };

export function ConnectorDetail({ connector }: { connector: string }) {
  const query = useOperation("get_custom_connector", { connector });
  if (query.data !== undefined) return <LoadedConnector connector={query.data} />;
  if (query.isPending) {
    return (
      <>
        <PageHeader title={connector} trail={[LIST]} />
        <LoadingLabel>Loading connector</LoadingLabel>
        <Skeleton className="m-6 h-64" />
      </>
    );
  }
  return (
    <DetailFailure query={query} noun="connector" title={connector} list={LIST}>
      This workspace has no connector with the slug “{connector}”.
    </DetailFailure>
  );
}

function LoadedConnector({ connector }: { connector: CustomConnectorObject }) {
  const [{ tab, operation }, setUrl] = useUrlState(CODECS);
  const [isDeleting, setDeleting] = useState(false);
  const canEdit = useHasRole("editor");
  const test = (name: string) => setUrl({ tab: "test", operation: name }, "push");
  const contents: Record<Tab, React.ReactNode> = {
    operations: <ConnectorOperationList connector={connector} onTest={canEdit ? test : null} />,
    test: <OperationTest connector={connector} operation={operation} onChoose={test} />,
    versions: <ConnectorVersions connector={connector} />,
    uses: <ConnectorUses connector={connector} />,
  };
  return (
    <>
      <PageHeader
        title={connector.name}
        trail={[LIST]}
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
      <DetailTabs
        label="Connector sections"
        tabs={TABS}
        labels={TAB_LABELS}
        value={tab}
        onChange={(next) => setUrl({ tab: next }, "push")}
        skeleton={<Skeleton className="h-64 w-full" />}
      >
        {contents[tab]}
      </DetailTabs>
      {isDeleting ? (
        <Suspense>
          <DeleteConnectorDialog connector={connector} onClose={() => setDeleting(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
