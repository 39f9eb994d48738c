import { describe, expect, test } from "vitest";
import { type FormConfig, formConfig } from "#lib/core/steps/trigger/form/form-config";
import { FORM_FIELD_TYPE_NAMES } from "#lib/core/steps/trigger/form/form-fields";
import { readSubmission } from "#lib/core/steps/trigger/form/read-submission";
import { renderFormPage, renderMessage } from "#lib/core/steps/trigger/form/render-form";
import { triggerKind } from "#lib/core/steps/trigger/trigger-kind";

const config = (fields: unknown[], more = {}): FormConfig =>
  formConfig.parse({ kind: "form", title: "Contact", fields, ...more });
const optionsOf = (type: string) => (type.startsWith("choice") ? { options: ["Red", "Green"] } : {});
const page = (given: FormConfig, more = {}) =>
  renderFormPage({ config: given, token: "t", texts: new Map(), errors: new Map(), problem: null, ...more });

describe("the settings of a form", () => {
  const problems = (data: unknown) =>
    formConfig.safeParse(data).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

  test("are refused with the field and what it must be", () => {
    const field = (more: object) => ({ kind: "form", title: "A", fields: [{ name: "a", ...more }] });
    expect(problems({ kind: "form", title: " ", fields: [] })).toEqual([
      "title: is required",
      "fields: must contain at least one field",
    ]);
    expect(problems(field({ type: "file" }))).toEqual([
      `fields.0.type: must be one of ${FORM_FIELD_TYPE_NAMES.join(", ")}`,
    ]);
    expect(problems(field({ type: "choice" }))).toEqual(["fields.0.options: are required"]);
    expect(problems(field({ type: "choice", options: ["x", "x"] }))).toEqual([
      "fields.0.options: must not contain the same option twice",
    ]);
    expect(problems(field({ options: ["x"] }))).toEqual([
      "fields.0.options: are only allowed for the types choice and choices",
    ]);
    expect(problems({ ...field({}), accent: "red" })).toEqual(["accent: must be a color, such as #2f4bc7"]);
    expect(problems({ ...field({}), answer: { type: "redirect", url: "javascript:alert(1)" } })).toEqual([
      "answer.url: must be a web address, such as https://example.com/thanks",
    ]);
  });

  test("give the event its shape: a list and a checkbox always have a value", () => {
    const fields = [
      { name: "email", type: "email", required: true },
      { name: "age", type: "integer" },
      { name: "colors", type: "choices", options: ["Red"] },
      { name: "news", type: "checkbox" },
    ];
    const shape = triggerKind.outputShape({ kind: "form", fields }, {} as never);
    const body = (
      shape as never as {
        fields: Map<string, { shape: { fields: Map<string, { shape: { fields: Map<string, unknown> } }> } }>;
      }
    ).fields
      .get("output")
      ?.shape.fields.get("body")?.shape.fields;
    expect([...(body ?? [])].map(([name, field]) => [name, field])).toMatchObject([
      ["email", { isOptional: false }],
      ["age", { isOptional: true }],
      ["colors", { isOptional: false }],
      ["news", { isOptional: false }],
    ]);
  });
});

describe("what a browser sends", () => {
  const read = (type: string, ...texts: string[]) => {
    const { fields } = config([{ name: "a", type, ...optionsOf(type) }]);
    const { values, errors } = readSubmission(fields, new Map([["a", texts]]));
    return errors.get("a") ?? values.a;
  };

  test.each<[type: string, texts: string[], value: unknown]>([
    ["text", [" Ada "], "Ada"],
    ["text", ["x".repeat(1_001)], "must be at most 1000 characters long"],
    ["long_text", ["one\r\ntwo"], "one\ntwo"],
    ["email", ["ada@example.com"], "ada@example.com"],
    ["email", ["ada"], "must be an email address, such as ada@example.com"],
    ["url", ["https://example.com/a?b=1"], "https://example.com/a?b=1"],
    ["url", ["javascript:alert(1)"], "must be a web address, such as https://example.com"],
    ["phone", ["+49 30 123456"], "+49 30 123456"],
    ["phone", ["call me"], "must be a phone number, such as +49 30 123456"],
    ["number", ["1.5"], 1.5],
    ["number", ["1,5"], 1.5],
    ["number", ["Infinity"], "must be a number"],
    ["number", ["one"], "must be a number"],
    ["integer", ["7"], 7],
    ["integer", ["7.5"], "must be a whole number"],
    ["integer", ["9007199254740993"], "must be a whole number"],
    ["date", ["2026-02-28"], "2026-02-28"],
    ["date", ["2026-02-30"], "must be a date, such as 2026-03-31"],
    ["choice", ["Green"], "Green"],
    ["choice", ["Blue"], "must be one of the options"],
    ["choices", ["Green", "Red"], ["Red", "Green"]],
    ["choices", ["Blue"], "must be one of the options"],
    ["choices", [], []],
    ["checkbox", ["yes"], true],
    ["checkbox", [], false],
    ["text", [""], undefined],
    ["number", ["  "], undefined],
    ["choice", [""], undefined],
  ])("is read as the type %s: %j", (type, texts, value) => {
    expect(read(type, ...texts)).toEqual(value);
  });

  test.each(FORM_FIELD_TYPE_NAMES)("is refused if it leaves out a required field of the type %s", (type) => {
    const { fields } = config([{ name: "a", type, required: true, ...optionsOf(type) }]);
    const { errors } = readSubmission(fields, new Map());
    expect(errors.get("a")).toBe(type === "checkbox" ? "must be checked" : "is required");
  });

  test("gives no value to a name that is no field", () => {
    const { fields } = config([{ name: "a" }]);
    const { values } = readSubmission(
      fields,
      new Map([
        ["b", ["x"]],
        ["a", ["y"]],
      ]),
    );
    expect(values).toEqual({ a: "y" });
  });
});

describe("the page", () => {
  const hostile = `"><script>alert(1)</script>'&`;

  test("shows texts of its author and its reader as texts, everywhere", () => {
    const fields = FORM_FIELD_TYPE_NAMES.map((type) => ({
      name: `${type}${hostile}`,
      label: hostile,
      help: hostile,
      type,
      ...(type.startsWith("choice") ? { options: [hostile, ...Array.from({ length: 8 }, (_, at) => `${at}`)] } : {}),
    }));
    const given = config(fields, { title: hostile, description: hostile, submit_label: hostile });
    const texts = new Map(fields.map(({ name }) => [name, [hostile]]));
    const errors = new Map(fields.map(({ name }) => [name, hostile]));
    for (const shown of [page(given, { texts, errors }), page(given, { problem: hostile })]) {
      expect(shown).not.toContain("<script");
      expect(shown).not.toContain(hostile);
    }
    expect(renderMessage(hostile, hostile, [{ label: hostile, value: hostile }])).not.toContain("<script");
  });

  test("has a control with a label for every type, filled in with what was sent", () => {
    for (const type of FORM_FIELD_TYPE_NAMES) {
      const shown = page(config([{ name: "a", label: "My field", type, ...optionsOf(type) }]), {
        texts: new Map([["a", [type === "checkbox" ? "yes" : "Red"]]]),
      });
      expect(shown, type).toContain("My field");
      expect(shown, type).toMatch(/id="field-0"/);
      expect(shown, type).toMatch(/value="Red"|\nRed<\/textarea>|value="(?:yes|Red)"[^>]* checked/);
    }
  });

  test("links each problem to its field, and says so in its title", () => {
    const given = config([{ name: "a" }, { name: "b", label: "Your age" }]);
    const shown = page(given, { errors: new Map([["b", "must be a number"]]) });
    expect(shown).toContain("<title>Error: Contact</title>");
    expect(shown).toContain('<a href="#field-1">Your age must be a number.</a>');
    expect(shown).toMatch(/id="field-1"[^>]*aria-describedby="field-1-error" aria-invalid="true"/);
  });

  test.each([
    ["#ffee00", "#000"],
    ["#2f4bc7", "#fff"],
  ])("has readable text on a button of the color %s", (accent, text) => {
    expect(page(config([{ name: "a" }], { accent }))).toContain(`button { background: ${accent}; color: ${text} }`);
  });
});
