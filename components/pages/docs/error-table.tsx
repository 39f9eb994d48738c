import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import { API_ERROR_MEANINGS, type RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import { RUN_ERROR_CODES } from "#lib/contract/run/step-error";
import { errorHint } from "@/components/features/runs/error-hints";

const CODES = (Object.keys(API_ERROR_MEANINGS) as RuntimeErrorCode[]).toSorted(
  (a, b) => API_ERROR_STATUS[a] - API_ERROR_STATUS[b],
);

/** Every code that a call can be refused with, over REST and MCP alike. */
export function ErrorTable() {
  return (
    <ul aria-label="Codes of refusals" className="divide-y divide-border rounded-3 border border-border">
      {CODES.map((code) => (
        <Row key={code} id={code} name={`${API_ERROR_STATUS[code]} ${code}`} text={API_ERROR_MEANINGS[code].when} />
      ))}
    </ul>
  );
}

/** Why a run that was accepted did not succeed: `error.code` of the run. */
export function RunErrorTable() {
  return (
    <ul aria-label="Codes of failed runs" className="divide-y divide-border rounded-3 border border-border">
      {RUN_ERROR_CODES.map((code) => {
        const { headline, advice } = errorHint({ code });
        return <Row key={code} id={`run-${code}`} name={code} text={`${headline}. ${advice}`} />;
      })}
    </ul>
  );
}

function Row({ id, name, text }: { id: string; name: string; text: string }) {
  return (
    <li
      id={id}
      className="grid scroll-mt-16 gap-x-6 px-3 py-2 target:bg-accent-weak sm:grid-cols-[244px_minmax(0,1fr)]"
    >
      <code className="font-mono text-dense">{name}</code>
      <span className="text-text-2">{text}</span>
    </li>
  );
}
