// Defines the context that all sentences about one intent share, and how they write a time. Pure.

export interface SentenceContext {
  readonly intentId: string
  readonly noun: 'conversion' | 'withdrawal'
  readonly movement: 'order' | 'withdrawal'
  /** `YYYY-MM-DD`. A time on this day is written without the date. */
  readonly day: string
  /** Whether it is still uncertain what the intent moved. */
  readonly isOpen: boolean
}

/** `10:01:20` in UTC, with the date before it on another day. An unreadable time stays unchanged. */
export function momentText(iso: string, { day }: Pick<SentenceContext, 'day'>): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  const utc = new Date(ms).toISOString()
  const time = utc.slice(11, 19)
  return dayOf(utc) === day ? time : `${utc.slice(0, 10)} ${time}`
}

/** `2026-01-31`, in UTC. Empty for an unreadable time. */
export function dayOf(iso: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

export function seconds(count: number): string {
  return `${count} s`
}
