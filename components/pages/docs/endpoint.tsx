import { clsx } from "clsx";
import type { OpenApiMethod, OpenApiOperation } from "#lib/contract/openapi/openapi";
import { Example } from "@/components/pages/docs/example";
import { FieldList, fieldsOf } from "@/components/pages/docs/field-list";
import { Prose } from "@/components/pages/docs/prose";
import { Badge } from "@/components/ui/badge";

interface EndpointProps {
  method: OpenApiMethod;
  path: string;
  operation: OpenApiOperation;
}

const PLACES = { path: "In the path", query: "In the query", header: "Headers" } as const;

/** One operation: what it takes, what it answers, what it refuses. */
export function Endpoint({ method, path, operation }: EndpointProps) {
  const { operationId, summary, description, security, parameters, requestBody } = operation;
  const scopes = security.flatMap((scheme) => Object.values(scheme).flat());
  const body = requestBody?.content["application/json"];
  return (
    <article aria-labelledby={operationId} className="flex min-w-0 flex-col gap-4 border-t border-border pt-6">
      <header className="flex flex-col gap-2">
        <h3 id={operationId} className="scroll-mt-16 text-title font-semibold">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <Method method={method} />
          <code className="font-mono [overflow-wrap:anywhere]">{path}</code>
          {scopes.map((scope) => (
            <Badge key={scope} title="The scope that the key needs">
              <span className="font-mono">{scope}</span>
            </Badge>
          ))}
          {scopes.length === 0 ? <Badge>no key needed</Badge> : null}
        </p>
        <p className="text-text-2">
          <Prose text={description} />
        </p>
      </header>
      {(["path", "query", "header"] as const).map((place) => {
        const fields = parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema, description: about, required }) => ({
            name,
            schema: place === "header" ? { type: "string" } : schema,
            description: about,
            isRequired: required,
          }));
        if (fields.length === 0) return null;
        return (
          <Part key={place} title={PLACES[place]}>
            <FieldList label={`${PLACES[place]}: ${summary}`} fields={fields} />
          </Part>
        );
      })}
      {body === undefined ? null : (
        <Part title="Body">
          <FieldList label={`Body: ${summary}`} fields={fieldsOf(body.schema, true)} />
          <Example label="A body" value={body.examples.example?.value} />
        </Part>
      )}
      <Part title="Responses">
        <Answers operation={operation} />
      </Part>
    </article>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h4 className="text-dense font-medium text-text-3">{title}</h4>
      {children}
    </section>
  );
}

function Answers({ operation: { responses } }: { operation: OpenApiOperation }) {
  const entries = Object.entries(responses);
  const refusals = entries.filter(([status]) => status >= "400");
  return (
    <>
      {entries
        .filter(([status]) => status < "300")
        .map(([status, { description, content }]) => (
          <div key={status} className="flex flex-col gap-2">
            <p className="text-text-2">
              <span className="font-mono text-dense font-medium text-ok">{status}</span> <Prose text={description} />
            </p>
            <Example label={`${status} response`} value={content?.["application/json"].examples.example?.value} />
          </div>
        ))}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-text-2">
        {refusals.flatMap(([status, { content }]) =>
          Object.keys(content?.["application/json"].examples ?? {}).map((code) => (
            <a key={code} href={`#${code}`} className="link font-mono text-dense">
              {status} {code}
            </a>
          )),
        )}
      </p>
    </>
  );
}

function Method({ method }: { method: OpenApiMethod }) {
  return (
    <span
      className={clsx(
        "rounded-1 px-1.5 font-mono text-dense font-medium",
        method === "get" ? "bg-idle-bg text-idle" : "bg-run-bg text-run",
      )}
    >
      {method.toUpperCase()}
    </span>
  );
}
