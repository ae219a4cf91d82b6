// The journal's table and the keys of its records (design, section 3). One item each, never expired.

/** Fixed: a table under another name would be an empty journal. */
export const JOURNAL_TABLE = 'sluice-journal'

/** The table's only key attribute. */
export const RECORD_KEY = 'pk'

export const recordKey = {
  intent: (intentId: string): string => `I#${intentId}`,
  claim: (movementId: string): string => `C#${movementId}`,
} as const

/** States of an intent. DONE means exactly one order, whatever it filled; REJECTED and EXHAUSTED mean zero, certified. */
export const IntentState = {
  Ready: 'READY',
  Armed: 'ARMED',
  Done: 'DONE',
  Rejected: 'REJECTED',
  Exhausted: 'EXHAUSTED',
  /** In doubt beyond what a machine may decide: a person does, with evidence. */
  Escalated: 'ESCALATED',
} as const
export type IntentState = (typeof IntentState)[keyof typeof IntentState]
