// What all sentences about one intent have in common, and how they tell a time. Pure.

export interface Telling {
  readonly intentId: string
  readonly noun: 'conversion' | 'withdrawal'
  readonly movement: 'order' | 'withdrawal'
  /** `YYYY-MM-DD`: times of this day are told without it. */
  readonly day: string
  /** Whether it is still not certain what it moved. */
  readonly isOpen: boolean
}

/** `10:01:20`, after its day where that is another one. UTC. */
export function momentText(iso: string, { day }: Pick<Telling, 'day'>): string {
  const ms = Date.parse(iso)
  // What cannot be read is told as it is.
  if (Number.isNaN(ms)) return iso
  const utc = new Date(ms).toISOString()
  const time = utc.slice(11, 19)
  return dayOf(utc) === day ? time : `${utc.slice(0, 10)} ${time}`
}

/** `2026-01-31`; what cannot be read is of no day. */
export function dayOf(iso: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

export function seconds(count: number): string {
  return `${count} s`
}
