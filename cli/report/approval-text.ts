// What a person has said of a run's plan, or until when one is waited for.
import type { Approval } from '../../core/contract/runs.ts'

export function approvalText({ decision, by, at, because, expiresAt }: Approval): string {
  if (decision === undefined) return `waits for a person until ${expiresAt}`
  return `${decision} by ${by ?? 'a person'}${at === undefined ? '' : ` at ${at}`}${because === undefined ? '' : `: ${because}`}`
}
