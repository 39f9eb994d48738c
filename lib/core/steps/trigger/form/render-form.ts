import type { FormConfig, FormField } from "#lib/core/steps/trigger/form/form-config";
import { TEXT_FIELD_TYPES } from "#lib/core/steps/trigger/form/form-fields";
import type { SentTexts } from "#lib/core/steps/trigger/form/read-submission";
import { type Html, html } from "#lib/support/html";
import { plainPage } from "#lib/support/plain-page";

/** The names of a form's fields start with this in a form body, so that they cannot be the names below. */
export const FIELD_PREFIX = "field.";
export const TOKEN_NAME = "token";
/** Hidden from people. Programs that fill in every field fill it in. */
export const TRAP_NAME = "website";

/** More options than this are a list to open. */
const RADIOS_MAX = 7;

export interface FormPage {
  config: FormConfig;
  /** What the page sends back; empty for a preview. */
  token: string;
  /** What is filled in, by the name of the field. */
  texts: SentTexts;
  /** What is wrong with a field: the end of a sentence. */
  errors: ReadonlyMap<string, string>;
  /** Why the form could not be sent, if the fields are not the reason. */
  problem: string | null;
}

/** Renders the page of a form (decisions, Forms). It needs no script. */
export function renderFormPage({ config, token, texts, errors, problem }: FormPage): string {
  const { title, description, fields, submit_label: submitLabel, accent } = config;
  const body = html`<body>
<main>
<h1>${title}</h1>
${paragraph(description)}
${renderProblems(fields, errors, problem)}
<form method="post">
${fields.map((field, index) => renderField(field, { index, texts: texts.get(field.name) ?? [], error: errors.get(field.name) ?? null }))}
<div class="trap" aria-hidden="true"><label>Leave this empty <input name="${TRAP_NAME}" tabindex="-1" autocomplete="off"></label></div>
<input type="hidden" name="${TOKEN_NAME}" value="${token}">
<button type="submit">${labelOr(submitLabel, "Send")}</button>
</form>
</main>
</body>`;
  const isFaulty = errors.size > 0 || problem !== null;
  return plainPage({ title: isFaulty ? `Error: ${title}` : title, style: STYLE + accentStyle(accent), body });
}

/** Renders what people see after they sent the form, or instead of a form. */
export function renderMessage(title: string, text: string | null | undefined, facts: readonly Fact[] = []): string {
  const list = facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`);
  const body = html`<body>
<main>
<h1>${title}</h1>
${paragraph(text)}
${facts.length === 0 ? null : html`<dl>${list}</dl>`}
</main>
</body>`;
  return plainPage({ title, style: STYLE, body });
}

export interface Fact {
  label: string;
  value: string;
}

interface FieldState {
  index: number;
  texts: readonly string[];
  error: string | null;
}

function renderField(field: FormField, state: FieldState): Html {
  const { type, label, name, help, required, options } = field;
  const { index, texts, error } = state;
  const id = `field-${index}`;
  const notes = [help ? `${id}-help` : null, error === null ? null : `${id}-error`].filter((note) => note !== null);
  const common = html`name="${FIELD_PREFIX + name}" aria-describedby="${notes.join(" ")}"${
    error === null ? null : html` aria-invalid="true"`
  }`;
  const mark = required || type === "checkbox" ? null : html` <span class="optional">optional</span>`;
  const title = html`${labelOr(label, name)}${mark}`;
  const under = html`${help ? html`<p class="help" id="${id}-help">${help}</p>` : null}`;
  const fault = error === null ? null : html`<p class="error" id="${id}-error">${sentenceOf(field, error)}</p>`;
  const need = required ? html` required` : null;
  const offered = options ?? [];
  const box = (kind: string, value: string, at: number, text: Html | string) =>
    html`<label class="box"><input type="${kind}" id="${at === 0 ? id : `${id}-${at}`}" value="${value}" ${common}${
      kind === "checkbox" && type === "choices" ? null : need
    }${texts.includes(value) ? html` checked` : null}> <span>${text}</span></label>`;
  switch (type) {
    case "checkbox":
      return html`<div class="field">${box("checkbox", "yes", 0, title)}${under}${fault}</div>`;
    case "choices":
    case "choice": {
      if (type === "choice" && offered.length > RADIOS_MAX) break;
      const kind = type === "choice" ? "radio" : "checkbox";
      const boxes = offered.map((option, at) => box(kind, option, at, option));
      return html`<fieldset class="field"><legend>${title}</legend>${under}${boxes}${fault}</fieldset>`;
    }
  }
  const [text = ""] = texts;
  return html`<div class="field"><label for="${id}">${title}</label>${under}${renderControl(field, text, html`id="${id}" ${common}${need}`)}${fault}</div>`;
}

function renderControl({ type, options, required }: FormField, text: string, attributes: Html): Html {
  if (type === "choice") {
    const offered = [...(required && text !== "" ? [] : [""]), ...(options ?? [])];
    const items = offered.map((option) => html`<option${option === text ? html` selected` : null}>${option}</option>`);
    return html`<select ${attributes}>${items}</select>`;
  }
  if (type === "checkbox" || type === "choices") return html``;
  const { control } = TEXT_FIELD_TYPES[type];
  if (control === "textarea") return html`<textarea rows="5" ${attributes}>${`\n${text}`}</textarea>`;
  const step = type === "number" ? html` step="any"` : null;
  const purpose = control === "email" || control === "tel" ? html` autocomplete="${control}"` : null;
  return html`<input type="${control}" value="${text}" ${attributes}${step}${purpose}>`;
}

/** Names everything that is wrong, with links to the fields. */
function renderProblems(
  fields: readonly FormField[],
  errors: ReadonlyMap<string, string>,
  problem: string | null,
): Html | null {
  if (problem !== null) return html`<div class="problems" role="alert">${problem}</div>`;
  if (errors.size === 0) return null;
  const items = fields.flatMap((field, index) => {
    const error = errors.get(field.name);
    return error === undefined ? [] : [html`<li><a href="#field-${index}">${sentenceOf(field, error)}</a></li>`];
  });
  return html`<div class="problems" role="alert">Check your answers:<ul>${items}</ul></div>`;
}

function sentenceOf({ label, name }: FormField, error: string): string {
  return `${labelOr(label, name)} ${error}.`;
}

function labelOr(text: string | null | undefined, otherwise: string): string {
  return text?.trim() ? text : otherwise;
}

function paragraph(text: string | null | undefined): Html | null {
  return text?.trim() ? html`<p class="lines">${text}</p>` : null;
}

/** The text on the button is black or white, whichever is easier to read (WCAG 2.2, contrast ratio). */
function accentStyle(accent: string | null | undefined): string {
  if (!accent || !/^#[0-9a-f]{6}$/i.test(accent)) return "";
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(accent.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return `button { background: ${accent}; color: ${luminance > 0.179 ? "#000" : "#fff"} }`;
}

const STYLE = `
main { max-width: 560px; padding: 32px }
h1 { margin-bottom: 8px; font-size: 22px }
textarea { resize: vertical }
.lines { white-space: pre-line }
form { display: grid; gap: 20px; margin-top: 20px }
.field { min-width: 0; margin: 0; padding: 0; border: 0; display: grid; gap: 6px }
label, legend { padding: 0; font-weight: 500 }
legend { margin-bottom: 6px }
.optional { color: var(--text-2); font-weight: 400 }
.help, .error { margin: 0; font-size: 14px }
.error { color: var(--err) }
.box { display: flex; gap: 8px; align-items: baseline; padding: 4px 0; font-weight: 400 }
.box input { flex: none; width: 16px; height: 16px; accent-color: var(--accent) }
input:not([type=checkbox], [type=radio]), textarea, select { width: 100%; min-height: 40px; padding: 8px 10px; border: 1px solid var(--border-strong); border-radius: 7px; background: var(--surface); color: var(--text); font: inherit; font-size: 16px }
:is(input, textarea, select)[aria-invalid] { border-color: var(--err) }
button { justify-self: start; min-height: 40px; padding: 8px 20px; border: 0; border-radius: 7px; background: var(--text); color: var(--app); font: inherit; font-weight: 600; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.problems { margin-top: 20px; padding: 12px 16px; border-radius: 7px; background: var(--err-bg); color: var(--err) }
.problems ul { margin: 4px 0 0; padding-left: 20px }
.problems a { color: inherit }
.trap { position: absolute; left: -9999px; width: 1px; height: 1px; overflow: hidden }
dl { display: grid; gap: 2px; margin: 20px 0 0 }
dt { color: var(--text-2); font-size: 14px }
dd { margin: 0 0 12px; white-space: pre-wrap }
@media (max-width: 480px) { body { padding: 0; place-items: start stretch } main { border: 0; border-radius: 0; min-height: 100dvh; padding: 24px 16px } button { width: 100% } }
`;
