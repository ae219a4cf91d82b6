// Says of a movement under way what it waits for, and what a person has to do for it. Pure.
import type { OnTheWay, Stalled } from '../../operations/movements/under-way.ts'

export const STALLED_NEXT: Readonly<Record<Stalled['cause'], string>> = {
  'key refused': 'put the right key in its place: within its time the movement continues by itself',
  'refund due': 'ask the operator of the service what became of it; the ledger is read again until it shows the refund',
}

export function onTheWayText({ asked, since, isRefundDue }: Pick<OnTheWay, 'asked' | 'since' | 'isRefundDue'>): string {
  const known = isRefundDue === true ? 'calls it failed, and shows no refund' : 'accepted it, and its end is not known'
  return `${asked} is sent and not confirmed since ${since}: the service ${known}`
}
