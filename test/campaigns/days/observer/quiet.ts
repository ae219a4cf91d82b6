// Nothing is sent in the quiet hours of the file in force, by the clocks of their zone.
import type { QuietHours } from '../../../../core/contract/guards.ts'
import { nameOf, type Send } from './sends.ts'

const DAYS: NonNullable<QuietHours['days']> = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export function judgeQuiet(sends: readonly Send[]): string[] {
  return sends.flatMap((send) => {
    const { guards, policies, atMs } = send
    const hours = [...(guards.quietHours ?? []), ...(policies[0]?.guards.quietHours ?? [])]
    return hours.some((quiet) => isQuiet(quiet, atMs)) ? [`quiet: ${nameOf(send)} went in quiet hours`] : []
  })
}

function isQuiet({ days = DAYS, from, to, timeZone }: QuietHours, atMs: number): boolean {
  const [weekday = '', clock = ''] = clockOf(atMs, timeZone)
  const isOn = (day: string) => (days as readonly string[]).includes(day)
  if (from < to) return isOn(weekday) && clock >= from && clock < to
  // Past midnight, the day is the one on which the quiet hours began.
  const [dayBefore = ''] = clockOf(atMs - 86_400_000, timeZone)
  return (isOn(weekday) && clock >= from) || (isOn(dayBefore) && clock < to)
}

/** Weekday, and the time of day as HH:MM. */
function clockOf(atMs: number, timeZone: string): [string, string] {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const parts = Object.fromEntries(format.formatToParts(new Date(atMs)).map(({ type, value }) => [type, value]))
  return [String(parts.weekday).toUpperCase(), `${parts.hour}:${parts.minute}`]
}
