// Groups the facts of an intent by attempt, as `show` lays them out: quote, send, answer, fence, and end. Pure.
import type { Fact, FactOf } from '../../operations/movements/facts.ts'

export interface AttemptGroup {
  /** Absent where the records lack the number. */
  readonly attempt?: number
  readonly quoted?: FactOf<'quoted'>
  readonly sent?: FactOf<'sent'>
  readonly answered?: FactOf<'answered'>
  readonly doubt?: FactOf<'doubt'>
  readonly ended?: FactOf<'attempt ended'>
}

/** A quote begins an attempt, and so does a send without a quote. */
export function attemptsIn(facts: readonly Fact[]): AttemptGroup[] {
  const groups: AttemptGroup[] = []
  const extend = (more: AttemptGroup) => {
    groups[Math.max(0, groups.length - 1)] = { ...groups.at(-1), ...more }
  }
  for (const fact of facts) {
    const last = groups.at(-1)
    switch (fact.fact) {
      case 'quoted':
        // A quote without a send was replaced within the same attempt.
        if (last?.quoted !== undefined && last.sent === undefined && last.ended === undefined) groups.pop()
        groups.push({ ...numberOf(fact), quoted: fact })
        break
      case 'sent':
        if (last === undefined || last.sent !== undefined || last.ended !== undefined) groups.push({})
        extend({ ...numberOf(fact), sent: fact })
        break
      case 'answered':
        extend({ answered: fact })
        break
      case 'doubt':
        extend({ doubt: fact })
        break
      case 'attempt ended':
        extend({ ended: fact })
    }
  }
  return groups
}

function numberOf({ attempt }: { readonly attempt?: number }): { readonly attempt?: number } {
  return attempt === undefined ? {} : { attempt }
}
