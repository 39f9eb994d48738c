import { z } from "zod";
import { conditionFields } from "#lib/core/expressions/condition-data";
import { stepSettings } from "#lib/core/steps/step-settings";

export const conditionData = z.object({ ...stepSettings, ...conditionFields });
