// Reads the grammar of EventBridge Scheduler: `rate`, `cron` and `at` in any time zone. Pure. Other code imports this
// file only.
export { ExpressionError } from './cron-fields.ts'
export { parseExpression, type Timing } from './schedule-expression.ts'
export { tickOf } from './tick.ts'
export { findZone } from './zone.ts'
