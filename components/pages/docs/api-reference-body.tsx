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
import { Link } from "@/components/ui/link";

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
          Call published actions and watch their runs, over REST or MCP. A call starts a run and returns immediately.
          Read the result from the run. Also available as{" "}
          <a href={`${url}/openapi.json`} className="link">
            OpenAPI 3.1
          </a>
          . If you request it with an API key, it includes your own actions and their schemas.
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
        description="The objects in responses. Responses can gain fields but never lose them."
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
        <p className="text-text-2">If a run was accepted but did not succeed, its error says why:</p>
        <RunErrorTable />
      </ReferencePart>
      <ReferencePart
        id="limits"
        title="Limits"
        description="Every response to a valid key includes x-ratelimit-limit, x-ratelimit-remaining, and x-ratelimit-reset. On a 429, retry-after is the number of seconds to wait. REST and MCP share one window."
      >
        <PlanTable />
        <OtherLimits />
      </ReferencePart>
      <ReferencePart
        id="mcp"
        title="MCP"
        description={`The same operations, as tools at POST ${baseUrl}/mcp, with the same keys, limits, and errors.`}
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
      description="Send an API key in the Authorization header of every request. Cookies, other headers, and query parameters are not accepted."
    >
      <p className="text-text-2">
        Create a key under{" "}
        <Link href="/keys" className="link">
          API keys
        </Link>
        . It is shown only once. To run actions and get results, it needs the scopes{" "}
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
      description="Find an action, run it, and wait for its result. Each action's page has these snippets with its own fields."
    >
      <CodeBlock
        label="Find, run, and wait"
        snippets={[
          { label: "List actions", code: curlActions(baseUrl) },
          { label: "Run one", code: curlRun(subject) },
          { label: "Wait for it", code: curlPoll(baseUrl) },
        ]}
      />
      <CodeBlock
        label="From code"
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
        is one file with no dependencies. It has types, idempotency keys, retries that respect retry-after, and waiting.
      </p>
      <CodeBlock label="Get the client" snippets={[{ label: "Shell", code: curlClient(baseUrl) }]} />
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
