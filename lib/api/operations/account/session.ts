import { z } from "zod";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { sessionSchema } from "#lib/contract/account/account-schema";
import { getSession } from "#lib/domain/accounts/get-session";

export const getSessionOperation = defineOperation({
  name: "get_session",
  title: "Get session",
  description: "Returns the signed-in user, the current workspace and the user's role in it.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: sessionSchema,
  run: (caller) => getSession(caller.userId, caller.workspaceId),
});
