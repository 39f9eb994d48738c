import { expect, test } from "vitest";
import { listParamFields, schemaOf, toParams } from "@/components/features/connectors/operation-params";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    query: { type: "object", properties: { limit: { type: ["null", "integer"], description: "At most" } } },
    body: { type: "object", properties: { note: {}, tags: { type: "array" } }, required: ["note"] },
  },
  required: ["path"],
};

test("parameters and body properties become fields with the types of their schemas", () => {
  const fields = listParamFields(SCHEMA);
  expect(schemaOf(fields)).toEqual({
    type: "object",
    properties: {
      "path.id": { type: "string" },
      "query.limit": { type: "integer", description: "At most" },
      "body.note": { type: "string" },
      "body.tags": { type: "array" },
    },
    // An optional body makes none of its fields required.
    required: ["path.id"],
  });
  expect(toParams(fields, { "path.id": "1", "body.tags": [] })).toEqual({ path: { id: "1" }, body: { tags: [] } });
});

test("a body without known properties is one field", () => {
  const fields = listParamFields({ properties: { body: { type: "array" } }, required: ["body"] });
  expect(fields).toEqual([{ name: "body", path: ["body"], property: { type: "array" }, isRequired: true }]);
  expect(toParams(fields, { body: [1] })).toEqual({ body: [1] });
});
