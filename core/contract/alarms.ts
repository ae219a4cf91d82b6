// Owns the alarms of a deployment: the name, urgency and meaning of each, without the environment's prefix. The
// monitoring stack creates each alarm, `sluice setup doctor --aws` looks for each, and docs/runbook.md has a section
// for each. infra/monitoring-stack.ts owns what each alarm watches.

export const Severity = {
  /** Money may be in doubt, or nothing runs: somebody must look now, at night too. */
  Page: 'page',
  /** It can wait until the morning, but no longer. */
  Ticket: 'ticket',
} as const
export type Severity = (typeof Severity)[keyof typeof Severity]

interface AlarmTerms {
  readonly severity: Severity
  /** One or two sentences for the person on call. */
  readonly means: string
}

const page = (means: string): AlarmTerms => ({ severity: Severity.Page, means })
const ticket = (means: string): AlarmTerms => ({ severity: Severity.Ticket, means })

const WATCHED = {
  'convert-failed': page('A conversion ended STUCK, NEEDS_ATTENTION or OWN_FAULT.'),
  'convert-timed-out': page('A conversion met its last time bound.'),
  'convert-aborted': page('Somebody stopped a conversion under way.'),
  'withdraw-failed': page('A withdrawal ended STUCK, NEEDS_ATTENTION or OWN_FAULT.'),
  'withdraw-timed-out': page('A withdrawal met its last time bound.'),
  'withdraw-aborted': page('Somebody stopped a withdrawal under way.'),
  'rebalance-failed': page('A run that converts ended OWN_FAULT, or could not be settled.'),
  'rebalance-timed-out': page('A run that converts met its last time bound.'),
  'rebalance-aborted': page('Somebody stopped a run that converts.'),
  'sweep-failed': page('A run that withdraws ended OWN_FAULT, or could not be settled.'),
  'sweep-timed-out': page('A run that withdraws met its last time bound.'),
  'sweep-aborted': page('Somebody stopped a run that withdraws.'),
  'run-attention': page('A leg of a run is in doubt or stuck.'),
  breaker: page('A policy halted itself.'),
  'key-fault': page('The service refuses a key, or a key is not of the account of the journal.'),
  'own-fault': page('A step failed by our own key, permission, configuration or code, and not by what was asked for.'),
  'entry-refused': page(
    'Something that stopped in doubt cannot be entered again by itself: Step Functions refuses it.',
  ),
  'policy-late': page(
    'A policy was due by its schedule, and no run of it began. The line of the log with "late" names it.',
  ),
  'schedule-undelivered': page(
    'EventBridge Scheduler could not deliver a start of a policy that no queue keeps, or a call of the audit or of LookAgain.',
  ),
  'event-undelivered': page('EventBridge could not deliver an event: a request, an end, or a run that was stopped.'),
  'function-killed': page('A function timed out, ran out of memory, crashed or could not be loaded.'),
  'function-errors': ticket('Functions of movements have failed again and again for a quarter of an hour.'),
  'run-errors': ticket('Functions of runs and of the audit have failed again and again for a quarter of an hour.'),
  'trigger-errors': ticket(
    'Functions that start runs and inform people have failed again and again for a quarter of an hour.',
  ),
  'people-errors': ticket(
    'A function by which people halt, approve or ask for runs failed. The runbook says what to do without it.',
  ),
  'doubt-errors': ticket(
    'A function by which people settle doubts failed. The person who called it saw the error, and may repeat the command.',
  ),
  'function-throttled': ticket('AWS did not run a function of movements, because too many were running.'),
  'run-throttled': ticket('AWS did not run a function of runs or of the audit, because too many were running.'),
  'trigger-throttled': ticket(
    'AWS did not run a function that starts runs or informs people, because too many were running.',
  ),
  'clock-offset': ticket("A function's clock is far from the service's: what it signs may be refused."),
  'rate-limit': ticket("The service's rate limit is nearly used up: it will refuse requests."),
  'schedules-waiting': ticket('A schedule or a deposit asked for a run, and nobody has verified the keys.'),
  'dead-letters': ticket('A request started no run, or an event or a notice was not delivered.'),
  'more-dead-letters': ticket('The dead-letter queue, which was not empty, has received more messages.'),
  'deposit-late': ticket(
    'A deposit was announced and signed, and its policies have not been started for five minutes.',
  ),
  'backup-failed': ticket('A backup of the journal, or its copy in another region, failed or did not start.'),
  'audit-finding': page('Something does not tie out with the journal.'),
  'audit-silent': page('No audit has ended for hours.'),
  'look-again-silent': page('Nothing looks again at what stopped in doubt, for a quarter of an hour.'),
  defect: page('A function met a bug or a broken contract of the service.'),
} as const satisfies Readonly<Record<string, AlarmTerms>>
export type Watched = keyof typeof WATCHED

export const alarmOf = (watched: Watched) => `sluice-${watched}` as const

export const alarmTerms = (watched: Watched): AlarmTerms => WATCHED[watched]

export const ALARMS: readonly string[] = Object.keys(WATCHED).map((watched) => `sluice-${watched}`)

/** Name of the SNS topic that receives the alarms of a severity. The deployment creates it. */
export const topicOf = (severity: Severity) => `sluice-${severity}` as const
