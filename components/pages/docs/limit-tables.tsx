import { LIMITS } from "#lib/contract/limits";
import { PLAN_LIMITS, PLANS } from "#lib/contract/plans";
import { Facts } from "@/components/ui/lists/facts";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

const number = (value: number | null) => (value === null ? "no limit" : value.toLocaleString("en"));

export function PlanTable() {
  return (
    <div className="overflow-hidden rounded-3 border border-border [&_tr:last-child]:border-0">
      <Table caption="What each plan allows" isPlain>
        <TableHead>
          <TableHeader>Plan</TableHeader>
          <TableHeader>Requests of a key in {LIMITS.rateWindowSeconds} s</TableHeader>
          <TableHeader>Active keys</TableHeader>
          <TableHeader>Runs a month</TableHeader>
        </TableHead>
        <tbody>
          {PLANS.map((plan) => (
            <TableRow key={plan}>
              <TableCell className="font-mono text-dense">{plan}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].requestsPerWindow)}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].activeKeys)}</TableCell>
              <TableCell>{number(PLAN_LIMITS[plan].runsPerMonth)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;

export function OtherLimits() {
  return (
    <Facts
      facts={[
        {
          label: "Runs of a user",
          value: `${LIMITS.runsPerUserPerHour} in a sliding hour, from any origin; dry runs do not count`,
        },
        { label: "A step", value: `${seconds(LIMITS.stepTimeoutMs)} for one attempt` },
        {
          label: "A run",
          value: `${seconds(LIMITS.pipelineTimeoutMs)} of running time; waiting for approval does not count`,
        },
        { label: "Approval", value: `${LIMITS.approvalExpiryMs / 3_600_000} hour, then the run times out` },
        { label: "A body", value: "1 MiB, 32 levels" },
        { label: "Idempotency-Key", value: `remembered for ${LIMITS.idempotencyKeyHours} hours` },
        { label: "Prefer: wait", value: `${LIMITS.waitSecondsMax} seconds at most` },
      ]}
    />
  );
}
