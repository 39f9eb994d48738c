import type { PROBLEM_SEVERITIES } from "#lib/contract/workflow/workflow";

/** What the reference says about a kind of problem. */
interface ProblemMeaning {
  /** `both`: an error if the mistake is certain, otherwise a warning. */
  severity: (typeof PROBLEM_SEVERITIES)[number] | "both";
  /** What is wrong. */
  meaning: string;
  /** What to change; the message of a problem names the values. */
  fix: string;
}

/** Every code in `problems` of a definition. */
export const PROBLEM_MEANINGS = {
  ACTION_INPUT_COUNT: error("The workflow has no Action Input, or several.", "Keep exactly one."),
  ACTION_NOT_ACTIVE: warning(
    "The step runs an action that is paused or archived, so it would fail.",
    "Resume the action, or choose another one.",
  ),
  CYCLE: error("Edges form a cycle.", "Remove one of its edges. To repeat steps, use a loop."),
  DUPLICATE_EDGE: error("The same edge exists twice.", "Remove one of them."),
  DUPLICATE_EDGE_ID: error("Two edges have the same id.", "Give one of them another id."),
  DUPLICATE_NODE_ID: error("Two steps have the same id.", "Give one of them another id."),
  EDGE_CROSSES_LOOP: error("An edge leads into or out of a loop.", "Connect the loop itself."),
  EMPTY_LOOP: error("A loop contains no steps.", "Add a step with the loop as its `parentId`."),
  ENTRY_HAS_INCOMING: error("An edge leads to the step that starts the workflow.", "Remove the edge."),
  GRAPH_TOO_DEEP: error("The definition is nested too deeply.", "Make its data flatter."),
  GRAPH_TOO_LARGE: error("The workflow has too many steps or edges.", "Move a part into a sub-workflow."),
  HOST_NOT_ALLOWED: error(
    "The connection of a step does not send its credentials to the host that the step calls.",
    "An admin allows the host, or choose another connection.",
  ),
  INVALID_DATA: error("A setting of a step is missing or has an invalid value.", "Set the named field."),
  INVALID_EXPRESSION: error(
    "A template contains `{{` but no valid expression.",
    "Correct the expression, or write `\\{{` for literal braces.",
  ),
  INVALID_PATTERN: error("A regular expression is not valid, or too expensive.", "Correct or shorten the pattern."),
  FOREIGN_PLACEHOLDER: warning(
    "A text contains a placeholder of another language, which stays as it is.",
    "Write the path in double braces: `{{action_input.name}}`.",
  ),
  INVALID_SCHEMA: error("A JSON Schema in the settings of a step is not valid.", "Correct the schema."),
  LONG_NUMBER: error(
    "Code or JSONata contains a number with more digits than a number can keep.",
    "Write it as a text, or in code as a BigInt.",
  ),
  MAY_BE_EMPTY: warning(
    "A value can be absent: its step is skipped or fails, or the value is optional.",
    'Add a fallback: `{{note ?? "none"}}`.',
  ),
  NOT_IN_LOOP: error("The start or the end of the workflow is inside a loop.", "Move it out of the loop."),
  REFERENCE_NOT_UPSTREAM: error(
    "An expression reads a step that does not run before its own step.",
    "Add an edge so that the step runs first.",
  ),
  RESERVED_NODE_ID: error("A step has a reserved id.", "Choose another id."),
  RETURN_OUTPUT_COUNT: error("A callable workflow returns nothing.", "Add a Return Output."),
  RETURN_TYPE_CONFLICT: error("Two Return Output steps declare a property with different types.", "Use one type."),
  SECRET_IN_DEFINITION: warning("The settings of a step contain a secret.", "Move it to a connection."),
  SECRET_MASKED: error("A setting contains `[REDACTED]` instead of a secret.", "Fill it in, or choose a connection."),
  SECRET_UNREADABLE: error("The secret of a trigger was encrypted in another workspace.", "Set it again."),
  SELF_LOOP: error("An edge leads back to its own step.", "Remove the edge."),
  STEP_DISABLED: warning("The step is disabled, so runs skip it.", "Enable it, or remove it if it isn't needed."),
  SYNTAX_ERROR: error("Code or JSONata does not parse.", "Correct it at the line and column of the message."),
  TOOL_CHANGED: warning(
    "An MCP server changed a tool after the workflow was published.",
    "Compare the step's arguments with the tool, test the step, and publish again.",
  ),
  TOOLS_OUTDATED: warning(
    "The tools of an MCP server could not be read again, so they may have changed.",
    "Test the connection, and refresh its tools.",
  ),
  TOO_MANY_EXPRESSIONS: error("The workflow has too many expressions.", "Move a part into a sub-workflow."),
  TRIGGER_COUNT: error("An event-driven workflow has several triggers.", "Keep exactly one."),
  TRIGGER_ALONE: warning("No step follows the trigger, so its runs do nothing.", "Add a step after it."),
  TWO_STARTS: error("The workflow has an Action Input and a Trigger.", "Remove one of them."),
  TYPE_FIXED: error("A published workflow changed its type.", "Create a new workflow for the other type."),
  TYPE_MISMATCH: both("A value has a different type than its field expects.", "Read another value, or convert it."),
  UNDECLARED_FIELD: warning(
    "An expression reads a field that its schema does not declare, and a declared one has almost the same name.",
    "Use the declared name.",
  ),
  UNDEFINED_VARIABLE: error(
    "Code or JSONata reads a variable or a function that does not exist.",
    "Declare it, or pass the value in the `input` of a Code step.",
  ),
  UNKNOWN_ACTION: warning("The step runs an action that does not exist.", "Correct the slug, or publish the action."),
  UNKNOWN_CONNECTION: error("The connection of a step does not exist, or is for another service.", "Choose another."),
  UNKNOWN_EDGE_END: error("An edge names a step that does not exist.", "Correct the id, or remove the edge."),
  UNKNOWN_FIELD: both("An expression reads a field that the value does not have.", "Use one of the named fields."),
  UNKNOWN_HANDLE: error("An edge starts at a branch that its step does not have.", "Use one of the named branches."),
  UNKNOWN_INPUT_FIELD: error("An expression reads an input that is not declared.", "Correct the name, or declare it."),
  UNKNOWN_KEY: both("A setting has a name that nothing reads.", "Use the nearest name, or remove the setting."),
  UNKNOWN_LOOP_FIELD: error(
    "An expression reads the current item outside its loop, or the output of a loop inside it.",
    "Inside, read `item` and `index`; after it, read `results`.",
  ),
  UNKNOWN_OPERATION: error("The connector or its operation does not exist.", "Use one of the named operations."),
  UNKNOWN_PARENT: error(
    "The `parentId` of a step is not the id of a loop.",
    "Set it to the id of a loop, or remove it.",
  ),
  UNKNOWN_REFERENCE: error("An expression names a step that does not exist.", "Use one of the named steps."),
  UNKNOWN_TRIGGER: error("The connector has no such event.", "Use one of the named events."),
  UNREACHABLE_NODE: error("No path leads from the start to a step.", "Connect or remove the step."),
  UNPASSED_INPUT: warning(
    "Code reads a field of its input that the step does not pass, so it is always undefined.",
    "Add the field to the step's `input`, or use the name of one that is there.",
  ),
  UNREAD_ADDRESS: warning(
    "A step waits for a callback, but no step passes on its callback URL.",
    "Send `{{id.callback_url}}` to the system that should call it.",
  ),
  WHOLE_INPUT: error(
    "JSONata reads all steps at once, but sees only the steps that it names.",
    "Name each step that the expression reads.",
  ),
} as const satisfies Record<string, ProblemMeaning>;

export type ProblemCode = keyof typeof PROBLEM_MEANINGS;
export const PROBLEM_CODES = Object.keys(PROBLEM_MEANINGS) as [ProblemCode, ...ProblemCode[]];

function error(meaning: string, fix: string): ProblemMeaning {
  return { severity: "error", meaning, fix };
}

function warning(meaning: string, fix: string): ProblemMeaning {
  return { severity: "warning", meaning, fix };
}

function both(meaning: string, fix: string): ProblemMeaning {
  return { severity: "both", meaning, fix };
}
