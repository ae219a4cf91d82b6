// Defines one act of a person: a row of the log of people. docs/commands.md says where each kind comes from. Names and
// shapes only.

export const Did = {
  Asked: 'asked',
  /** Asked for a plan, or for the check of a payout file: a run that moves nothing. */
  Planned: 'planned',
  Approved: 'approved',
  Rejected: 'rejected',
  Halted: 'halted',
  /** The first of two people's requests to resume, which alone resumes nothing. */
  FirstResume: 'first-resume',
  Resumed: 'resumed',
  Resolved: 'resolved',
  DeclaredForeign: 'declared-foreign',
  Released: 'released',
  /** Another treasury.json was deployed, or a desk was started with it. */
  Configured: 'configured',
  /** A bound of that treasury.json against the one before. */
  Loosened: 'loosened',
  Changed: 'changed',
  Tightened: 'tightened',
} as const
export type Did = (typeof Did)[keyof typeof Did]

/** The kind of thing that an act is about. `everything` has no id. */
export type Subject = 'run' | 'convert' | 'withdraw' | 'policy' | 'everything' | 'configuration' | 'bound'

export const ACT_COLUMNS = [
  'at',
  'by',
  'did',
  'kind',
  'about',
  'what',
  'policy',
  'because',
  'detail',
  'record',
] as const
export type ActColumn = (typeof ACT_COLUMNS)[number]

export interface Act {
  /** ISO-8601. */
  readonly at: string
  /** On AWS the ARN that STS knows, at a desk a name marked as not verified. */
  readonly by: string
  readonly did: Did
  readonly kind: Subject
  /** The id of the run, intent or movement, the name of the policy, a version, or the path of a bound. */
  readonly about: string | null
  /**
   * The movement as it was asked for, or the turnover of the plan. Null for other acts, and where the record of the movement or the
   * run cannot be read.
   */
  readonly what: string | null
  /** ISO-8601. When the run began that the act is about, where its record can be read. Exports leave it out. */
  readonly startedAt?: string
  /** Null where no policy is concerned, or where its record cannot be read. */
  readonly policy: string | null
  readonly because: string | null
  /** One sentence of further facts, such as the plan that was approved. */
  readonly detail: string | null
  /** The key of the record in the journal. */
  readonly record: string
}

/** A record whose chain is broken, or that is missing. */
export interface BrokenRecord {
  readonly record: string
  readonly message: string
}
