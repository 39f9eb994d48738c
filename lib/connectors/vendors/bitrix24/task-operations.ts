import { z } from "zod";
import { connectorOperation, type GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { BBCODE, bitrix24Id, bitrix24TaskFields, toFields } from "#lib/connectors/vendors/bitrix24/fields";
import { getObject, listObjects, listRows, read, TASK } from "#lib/connectors/vendors/bitrix24/kinds";
import { listOutput, listParams, pageShape, reachOperation } from "#lib/connectors/vendors/bitrix24/list-params";
import { optionsFrom } from "#lib/contract/action/field-options";
import { numeric } from "#lib/support/numbers/numeric";

const DOCS = "https://apidocs.bitrix24.com/api-reference/";
const task = z.looseObject({ id: z.string() });
const taskId = bitrix24Id.meta({ title: "Task id" });
const wrapped = z.object({ task });

async function writeTask(service: ServiceContext, method: string, params: object): Promise<unknown> {
  const { result } = await callBitrix24(service, method, params);
  return read(wrapped, result).task;
}

/**
 * The chat has a permission of its own, which older connections and accounts do not have. `task.commentitem.add` keeps
 * working for them: https://apidocs.bitrix24.com/api-reference/tasks/tasks-new.html
 */
async function mayUseChat(service: ServiceContext): Promise<boolean> {
  const { result } = await callBitrix24(service, "scope");
  return read(z.array(z.string()), result).includes("tasks");
}

/** Defines an operation that changes the status of a task and needs only its id. */
function turning(verb: string, method: string, title: string, description: string): GuidedOperation {
  return connectorOperation({
    kind: "update",
    docs: `${DOCS}tasks/status/tasks-task-${verb}.html`,
    title,
    description,
    params: z.object({ id: taskId }),
    output: task,
    example: { id: 8017 },
    run: (service, { id: given }) => writeTask(service, method, { taskId: given }),
  });
}

export const BITRIX24_TASK_OPERATIONS: Readonly<Record<string, GuidedOperation>> = {
  get_task: connectorOperation({
    kind: "read",
    docs: `${DOCS}tasks/tasks-task-get.html`,
    title: "Get a task",
    description: "Returns a task by its id.",
    params: z.object({ id: taskId }),
    output: task,
    example: { id: 8017 },
    run: (service, { id: given }) => getObject(service, TASK, given),
  }),
  list_tasks: connectorOperation({
    kind: "search",
    docs: `${DOCS}tasks/tasks-task-list.html`,
    title: "List tasks",
    description: "Returns a page of up to 50 tasks that match the filter.",
    params: listParams,
    output: listOutput,
    example: { filter: { RESPONSIBLE_ID: 1, "!STATUS": 5 }, order: { DEADLINE: "asc" } },
    run: (service, params) => listObjects(service, TASK, params),
  }),
  search_tasks: connectorOperation({
    kind: "search",
    docs: `${DOCS}tasks/tasks-task-list.html`,
    title: "Search tasks",
    description: "Returns a page of the tasks whose title contains the text.",
    params: z.object({ title: z.string().min(1).meta({ title: "Title contains" }), ...pageShape }),
    output: listOutput,
    example: { title: "Call" },
    run: (service, { title, ...page }) => listObjects(service, TASK, { ...page, filter: { TITLE: `%${title}%` } }),
  }),
  create_task: connectorOperation({
    kind: "create",
    docs: `${DOCS}tasks/tasks-task-add.html`,
    title: "Create a task",
    description: "Creates a task for a user.",
    params: z.object({
      ...bitrix24TaskFields,
      title: z.string().min(1, "is required").meta({ title: "Title" }),
      responsible_id: bitrix24Id.meta({ title: "Responsible user", ...optionsFrom("users") }),
    }),
    output: task,
    example: { title: "Call back", responsible_id: 1, crm: ["D_37"] },
    run: (service, params) => writeTask(service, "tasks.task.add", { fields: toFields(params) }),
  }),
  update_task: connectorOperation({
    kind: "update",
    docs: `${DOCS}tasks/tasks-task-update.html`,
    title: "Update a task",
    description: "Changes the given fields of a task.",
    params: z.object({ id: taskId, ...bitrix24TaskFields }),
    output: task,
    example: { id: 8017, deadline: "2026-01-06T18:00:00+00:00" },
    run: (service, { id: given, ...values }) =>
      writeTask(service, "tasks.task.update", { taskId: given, fields: toFields(values) }),
  }),
  start_task: turning("start", "tasks.task.start", "Start a task", "Moves a task to in progress."),
  complete_task: turning("complete", "tasks.task.complete", "Complete a task", "Marks a task as completed."),
  renew_task: turning("renew", "tasks.task.renew", "Reopen a task", "Reopens a completed task."),
  delete_task: connectorOperation({
    kind: "delete",
    docs: `${DOCS}tasks/tasks-task-delete.html`,
    title: "Delete a task",
    description: "Moves a task to the recycle bin.",
    params: z.object({ id: taskId }),
    output: z.object({ id: z.number(), ok: z.literal(true) }),
    example: { id: 8017 },
    run: async (service, { id: given }) => {
      await callBitrix24(service, "tasks.task.delete", { taskId: given });
      return { id: given, ok: true };
    },
  }),
  add_task_comment: connectorOperation({
    kind: "create",
    docs: `${DOCS}tasks/tasks-task-chat-message-send.html`,
    title: "Comment on a task",
    description:
      'Sends a message to the chat of a task. If the connection lacks the permission "tasks", adds a comment instead.',
    params: z.object({
      id: taskId,
      comment: z
        .string()
        .min(1, "is required")
        .meta({ title: "Comment", ...BBCODE }),
    }),
    output: z.object({ id: z.number().nullable().describe("The id of a comment; null for a message of the chat.") }),
    example: { id: 8017, comment: "They renew" },
    run: async (service, { id: given, comment }) => {
      if (await mayUseChat(service)) {
        const fields = { taskId: given, text: comment };
        await callBitrix24(service, "tasks.task.chat.message.send", { fields }, { isV3: true });
        return { id: null };
      }
      const params = { TASKID: given, FIELDS: { POST_MESSAGE: comment } };
      const { result } = await callBitrix24(service, "task.commentitem.add", params);
      return { id: read(numeric(z.number()), result) };
    },
  }),
  list_task_comments: connectorOperation({
    kind: "search",
    docs: `${DOCS}tasks/comment-item/task-comment-item-get-list.html`,
    title: "List the comments on a task",
    description: "Returns all comments on a task, newest first. Messages in the chat of a task are not comments.",
    params: z.object({ id: taskId }),
    output: listOutput,
    example: { id: 8017 },
    run: async (service, { id: given }) => {
      const params = { TASKID: given, ORDER: { ID: "desc" } };
      const { result } = await callBitrix24(service, "task.commentitem.getlist", params);
      return { items: read(z.array(z.looseObject({})), result), next: null, total: null };
    },
  }),
  list_users: connectorOperation({
    kind: "search",
    docs: `${DOCS}user/user-get.html`,
    title: "List users",
    description: "Returns a page of up to 50 users that match the filter.",
    params: z.object({ filter: listParams.shape.filter, ...pageShape }),
    output: listOutput,
    example: { filter: { ACTIVE: true } },
    run: (service, { filter, ...page }) => listRows(service, "user.get", filter ? { FILTER: filter } : {}, page),
  }),
  get_profile: reachOperation({
    method: "profile",
    docs: `${DOCS}common/users/profile.html`,
    title: "Get the current user",
    description: "Returns the user that this connection acts as.",
  }),
};
