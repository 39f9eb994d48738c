"use client";

import { isJsonObject } from "#lib/support/json";
import { useOperation } from "@/components/api/operation-hooks";
import { ParamFields } from "@/components/canvas/panel/fields/param-fields";
import { ParamGroups } from "@/components/canvas/panel/fields/param-groups";
import { Skeleton } from "@/components/ui/lists/skeleton";

const STALE_MS = 60_000;

interface OperationParamsProps {
  connector: string;
  operation: string;
  isCustom: boolean;
  /** The connection that the operation belongs to, if it belongs to one. */
  connectionId?: string;
}

/** Edits the params of an operation by its schema. */
export function OperationParams({ connector, operation, isCustom, connectionId }: OperationParamsProps) {
  const input = { connector, operation, ...(connectionId === undefined ? {} : { connection_id: connectionId }) };
  const schema = useOperation("get_operation_schema", input, { staleTime: STALE_MS });
  if (schema.isPending) return <Skeleton className="h-24 w-full" />;
  const params = schema.data?.params_schema;
  if (!isJsonObject(params))
    return <p className="text-dense text-err">Couldn't load the parameters of this operation.</p>;
  return isCustom ? <ParamGroups schema={params} /> : <ParamFields schema={params} />;
}
