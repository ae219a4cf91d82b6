// Owns quiet hours, in which nothing is sent. Says whether any moment of a span of service time is quiet, and when the quiet
// ends. Days and times follow a zone's wall clock. So a night in which the clock changes is an hour shorter or longer, and an
// hour that comes twice is quiet twice. Remembers the offsets of zones, and reads nothing else.
import { type QuietHours, WEEKDAYS } from '../contract/guards.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Minutes. Every change of a zone's offset falls on a quarter of an hour. */
const SLOT_MINUTES = 15
/** Minutes: a week, and a day for changes of the clock. Hours that stay quiet for longer never end. */
const LONGEST_LOOK_MINUTES = 8 * DAY_MINUTES

export interface Quiet {
  /** Epoch ms, service time: the first minute after the quiet; `undefined` where it never ends. */
  readonly untilMs: number | undefined
}

/**
 * Whether any moment from `fromMs` to `toMs`, both included (epoch ms, service time), is in quiet hours. A span of more than
 * eight days counts as quiet whatever the hours, because no send takes so long.
 * @throws RangeError for a zone that this machine does not know
 */
export function findQuiet(hours: readonly QuietHours[], fromMs: number, toMs: number): Quiet | undefined {
  if (hours.length === 0) return undefined
  const spans = hours.map(spanOf)
  const isQuiet = (minute: number) => spans.some((span) => isWithin(span, minute))
  const first = minuteOf(fromMs)
  const last = Math.min(minuteOf(toMs), first + LONGEST_LOOK_MINUTES)
  for (let minute = first; minute <= last; minute += 1) {
    if (isQuiet(minute)) return { untilMs: endOf(isQuiet, minute) }
  }
  return last < minuteOf(toMs) ? { untilMs: undefined } : undefined
}

function endOf(isQuiet: (minute: number) => boolean, from: number): number | undefined {
  for (let minute = from + 1; minute <= from + LONGEST_LOOK_MINUTES; minute += 1) {
    if (!isQuiet(minute)) return minute * MINUTE_MS
  }
  return undefined
}

/** Quiet hours in minutes of the wall clock's day; every day where `days` is missing. */
interface Span {
  readonly days: QuietHours['days']
  readonly timeZone: string
  readonly start: number
  readonly end: number
}

function spanOf({ days, timeZone, from, to }: QuietHours): Span {
  return { days, timeZone, start: minutesOf(from), end: minutesOf(to) }
}

/** `minute`: since the epoch. Hours and offsets are whole minutes, so nothing changes within a minute. */
function isWithin({ days, timeZone, start, end }: Span, minute: number): boolean {
  const local = minute + offsetAt(timeZone, minute)
  const day = Math.floor(local / DAY_MINUTES)
  const time = local - day * DAY_MINUTES
  const begins = (on: number) => days === undefined || days.includes(weekdayOf(on))
  if (start < end) return begins(day) && start <= time && time < end
  // Past midnight, the second part belongs to the day on which it began.
  return (begins(day) && time >= start) || (begins(day - 1) && time < end)
}

function minuteOf(epochMs: number): number {
  return Math.floor(epochMs / MINUTE_MS)
}

/** Minutes since midnight of `HH:MM`; the schema has checked the form. */
function minutesOf(clockTime: string): number {
  return Number(clockTime.slice(0, 2)) * 60 + Number(clockTime.slice(3))
}

/** `day`: since 1970-01-01, a Thursday. The remainder from 0 to 6 is always the index of a weekday. */
function weekdayOf(day: number): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] as (typeof WEEKDAYS)[number]
}

/** Offsets in minutes by zone, then by slot: a waiting step asks again for days that were read before. */
const knownOffsets = new Map<string, Map<number, number>>()
/** Maximum slots kept for one zone: more than the longest look needs. */
const MOST_SLOTS = 1_000

/** Minutes by which the zone's wall clock is ahead of UTC. */
function offsetAt(timeZone: string, minute: number): number {
  const slot = Math.floor(minute / SLOT_MINUTES)
  const offsets = knownOffsets.get(timeZone) ?? new Map<number, number>()
  const cached = offsets.get(slot)
  if (cached !== undefined) return cached
  const offset = readOffset(timeZone, slot * SLOT_MINUTES)
  if (offsets.size === MOST_SLOTS) offsets.clear()
  knownOffsets.set(timeZone, offsets.set(slot, offset))
  return offset
}

function readOffset(timeZone: string, minute: number): number {
  if (timeZone === 'UTC') return 0
  const parts = wallClockOf(timeZone).formatToParts(minute * MINUTE_MS)
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const wallMs = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'))
  return wallMs / MINUTE_MS - minute
}

/** One format for each zone in treasury.json, because creating it takes as long as many uses of it. */
const wallClocks = new Map<string, Intl.DateTimeFormat>()

function wallClockOf(timeZone: string): Intl.DateTimeFormat {
  const cached = wallClocks.get(timeZone)
  if (cached) return cached
  const shown = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', hourCycle: 'h23', ...shown })
  wallClocks.set(timeZone, format)
  return format
}
