import { expect, test } from "vitest";
import { sortFaults } from "@/components/api/form-faults";

const fault = (field: string, message: string) => ({ field, message, code: "custom", pointer: "" });
const NAMING = { names: ["name", "date", "document"], fields: { expires_at: "date" } };

test("a fault is shown at its field as a sentence, the first of several", () => {
  const faults = [fault("name", "must not be empty"), fault("name", "is wrong"), fault("expires_at", "is over")];
  expect(sortFaults(faults, NAMING)).toEqual({
    byField: { name: "Must not be empty.", date: "This is over." },
    general: null,
  });
});

test("a fault inside a field names its place, and one that belongs to no field is general", () => {
  const faults = [fault("document.nodes.0", "Invalid input"), fault("time_zone", "is unknown")];
  expect(sortFaults(faults, NAMING)).toEqual({
    byField: { document: "document.nodes.0: Invalid input" },
    general: "time_zone: is unknown",
  });
});
