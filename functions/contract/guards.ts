// The `guards` part of treasury.json: bounds on what may leave, checked right before each ARM.
import * as z from 'zod/mini'
import { amountText, assetCode } from './fields.ts'

/** Most that may leave in a day (UTC), fee included, by settled asset code. An asset not named is not bounded. */
export const dailyOutflow = z.record(assetCode, amountText)
export type DailyOutflow = z.infer<typeof dailyOutflow>

export const guards = z.strictObject({ dailyOutflow: z._default(dailyOutflow, {}) })
