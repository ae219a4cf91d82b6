// Names of the errors a function may throw at its state machine. Minifiers rename classes and
// Step Functions matches on names, so a name is a literal, and stands here only.

/** The closed set (docs/architecture.md, "Errors"). Outcomes are not errors: see outcomes.ts. */
export const ErrorName = {
  /** May be tried again as it is. */
  Transient: 'Transient',
  /** A business no, or input that cannot be right. Trying again gives the same answer. */
  Refused: 'Refused',
  /** The key in use may not do this, is of another account, or cannot be used. With the right key it may be tried again. */
  KeyFault: 'KeyFault',
  /** What is ours stands in the way: a permission, the journal's table. Once it is put right it may be tried again. Alarms. */
  OwnFault: 'OwnFault',
  /** An intent is not in the journal though an earlier step has opened it: whether it moved is not known. Alarms. */
  IntentLost: 'IntentLost',
  /** A bug, or a broken contract. Alarms. */
  Defect: 'Defect',
} as const
export type ErrorName = (typeof ErrorName)[keyof typeof ErrorName]

/** The name under which Step Functions says that a machine may not do what a state asks for. */
const NOT_PERMITTED = 'States.Permissions'

/** Faults of ours that somebody puts right, and then the same request goes on. */
const MENDABLE: ReadonlySet<string> = new Set([ErrorName.KeyFault, ErrorName.OwnFault, NOT_PERMITTED])

/** Whether what failed with this error goes on by itself, or entered again, once somebody has put right what is ours. */
export function isMendable(error: string): boolean {
  return MENDABLE.has(error)
}

/** Whether what failed with this error failed because of us: a key, a permission, the configuration, our code. */
export function isOwnFault(error: string): boolean {
  return MENDABLE.has(error) || error === ErrorName.Defect
}

/** Names under which Lambda itself reports that it, or the function's process, broke down. */
export const LambdaFault = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
  // The names that a killed and a hung process are reported under in practice.
  'Runtime.ExitError',
  'Sandbox.Timedout',
  'States.Timeout',
] as const
