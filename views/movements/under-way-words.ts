// Says of a movement under way what it waits for, and what a person has to do for it. Pure.
import type { OnTheWay, Stalled } from '../../operations/movements/under-way.ts'

export const STALLED_NEXT: Readonly<Record<Stalled['cause'], string>> = {
  'key refused': 'put the right key in its place: within its time the movement continues by itself',
  'refund due': 'ask the operator of the service what became of it; the ledger is read again until it shows the refund',
}

export function onTheWayText({ asked, since }: Pick<OnTheWay, 'asked' | 'since'>): string {
  return `${asked} is on its way since ${since}: the service accepted it, and its end is not known`
}
