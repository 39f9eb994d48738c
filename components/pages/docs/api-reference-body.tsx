import Link from "next/link";
import type { ApiReference } from "#lib/contract/openapi/api-reference";
import type { OpenApiMethod } from "#lib/contract/openapi/openapi";
import { mcpClientSnippets } from "@/components/features/actions/mcp-snippets";
import {
  CLIENT_FILE_PATH,
  clientRun,
  curlActions,
  curlClient,
  curlPoll,
  curlRun,
  pythonRun,
  typescriptRun,
} from "@/components/features/actions/snippets";
import { Endpoint } from "@/components/pages/docs/endpoint";
import { ErrorTable, RunErrorTable } from "@/components/pages/docs/error-table";
import { FieldList, fieldsOf } from "@/components/pages/docs/field-list";
import { OtherLimits, PlanTable } from "@/components/pages/docs/limit-tables";
import { ReferencePart } from "@/components/pages/docs/reference-part";
import { ToolList } from "@/components/pages/docs/tool-list";
import { CodeBlock } from "@/components/ui/code-block";

const INPUT = { name: "Ada" };
const INPUT_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
} as const;

/** Everything a caller needs, on one page: made from the description of the API and the registry's tools. */
export function ApiReferenceBody({ reference }: { reference: ApiReference }) {
  const { baseUrl, document, tools } = reference;
  const url = document.servers[0]?.url ?? "";
  return (
    <>
      <div className="flex flex-col gap-2">
        <h1 className="text-hero font-semibold">API reference</h1>
        <p className="max-w-xl text-text-2">
          Call published actions and watch their runs, over REST or MCP. A call makes a run and answers at once; the
          result is read from the run. Also as{" "}
          <a href={`${url}/openapi.json`} className="link">
            OpenAPI 3.1
          </a>
          ; asked for with a key, that document holds your own actions with their schemas.
        </p>
      </div>
      <Authentication />
      <FirstCall baseUrl={baseUrl} />
      {document.tags.map(({ name, description }) => (
        <ReferencePart key={name} id={`tag-${name}`} title={name} description={description}>
          <Endpoints reference={reference} tag={name} />
        </ReferencePart>
      ))}
      <ReferencePart
        id="objects"
        title="Objects"
        description="What answers hold. An answer may gain fields; it loses none."
      >
        <Objects reference={reference} />
      </ReferencePart>
      <ReferencePart
        id="errors"
        title="Errors"
        description={
          'Every error has the shape { "error", "code", "details"? }: error is for people, code for programs. On MCP the same object is the text of a tool result with isError.'
        }
      >
        <ErrorTable />
        <p className="text-text-2">A run that was accepted and did not succeed says why in its own error:</p>
        <RunErrorTable />
      </ReferencePart>
      <ReferencePart
        id="limits"
        title="Limits"
        description="Every answer to a good key carries x-ratelimit-limit, x-ratelimit-remaining and x-ratelimit-reset. A 429 says in retry-after how many seconds to wait. REST and MCP share one window."
      >
        <PlanTable />
        <OtherLimits />
      </ReferencePart>
      <ReferencePart
        id="mcp"
        title="MCP"
        description={`The same operations as tools of POST ${baseUrl}/mcp, behind the same keys, limits and errors.`}
      >
        <CodeBlock label="Add the MCP server" snippets={mcpClientSnippets(baseUrl)} />
        <ToolList tools={tools} />
      </ReferencePart>
    </>
  );
}

function Authentication() {
  return (
    <ReferencePart
      id="authentication"
      title="Authentication"
      description="Every request carries an API key in its Authorization header. Cookies, other headers and query parameters are no way in."
    >
      <p className="text-text-2">
        Create a key under{" "}
        <Link href="/keys" className="link" prefetch={false}>
          API keys
        </Link>
        ; it is shown once. Calling and waiting needs the scopes{" "}
        <code className="font-mono text-dense">actions:run</code> and{" "}
        <code className="font-mono text-dense">runs:read</code>. The snippets read it from the environment.
      </p>
      <CodeBlock label="Set the key" snippets={[{ label: "Shell", code: "export SVC_API_KEY=svc_…" }]} />
    </ReferencePart>
  );
}

function FirstCall({ baseUrl }: { baseUrl: string }) {
  const subject = { baseUrl, slug: "hello-world", input: INPUT };
  return (
    <ReferencePart
      id="first-call"
      title="First call"
      description="Find an action, run it, wait for its result. The page of each action has these with its own fields."
    >
      <CodeBlock
        label="Finding, running, waiting"
        snippets={[
          { label: "List actions", code: curlActions(baseUrl) },
          { label: "Run one", code: curlRun(subject) },
          { label: "Wait for it", code: curlPoll(baseUrl) },
        ]}
      />
      <CodeBlock
        label="As a program"
        snippets={[
          { label: "TypeScript client", code: clientRun(subject) },
          { label: "TypeScript", code: typescriptRun(subject, { ...INPUT_SCHEMA, required: ["name"] }, null) },
          { label: "Python", code: pythonRun(subject) },
        ]}
      />
      <p className="text-text-2">
        The{" "}
        <a href={CLIENT_FILE_PATH} className="link">
          TypeScript client
        </a>{" "}
        is one file without dependencies: types, idempotency keys, retries that honour retry-after, and waiting.
      </p>
      <CodeBlock label="Getting the client" snippets={[{ label: "Shell", code: curlClient(baseUrl) }]} />
    </ReferencePart>
  );
}

function Endpoints({ reference: { document }, tag }: { reference: ApiReference; tag: string }) {
  const prefix = new URL(document.servers[0]?.url ?? "").pathname;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => (
        <Endpoint
          key={operation.operationId}
          method={method as OpenApiMethod}
          path={prefix + path}
          operation={operation}
        />
      )),
  );
}

/** Refusals are named by their codes, in capitals; they have a table of their own. */
function Objects({ reference: { document } }: { reference: ApiReference }) {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !/^[A-Z_]+$/.test(name))
    .map(([name, schema]) => (
      <section key={name} aria-labelledby={name} className="flex flex-col gap-2">
        <h3 id={name} className="scroll-mt-16 font-mono font-medium">
          {name}
        </h3>
        <p className="text-text-2">{String(schema.description ?? "")}</p>
        <FieldList label={`Fields of ${name}`} fields={fieldsOf(schema, false)} />
      </section>
    ));
}
