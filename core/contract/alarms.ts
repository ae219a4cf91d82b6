// What the alarms of a deployment are called, without an environment. The monitoring stack makes each of them, and
// `sluice doctor --aws` asks for each. What they watch is said in infra/monitoring-stack.ts.

const WATCHED = [
  'convert-failed',
  'convert-timed-out',
  'convert-aborted',
  'withdraw-failed',
  'withdraw-timed-out',
  'withdraw-aborted',
  'rebalance-failed',
  'rebalance-timed-out',
  'rebalance-aborted',
  'sweep-failed',
  'sweep-timed-out',
  'sweep-aborted',
  'run-attention',
  'breaker',
  'key-fault',
  'schedules-waiting',
  'dead-letters',
  'audit-finding',
  'audit-silent',
  'defect',
] as const
export type Watched = (typeof WATCHED)[number]

export const alarmOf = (watched: Watched) => `sluice-${watched}` as const

/** All of them. */
export const ALARMS: readonly string[] = WATCHED.map(alarmOf)
