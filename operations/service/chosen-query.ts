// Chooses the query of a command below `sluice service`: its own, or the form that an option asks for (history of
// balances, price of markets, fills of orders). An option that the chosen query does not take is refused, because
// it would be ignored. Maps the name of each query to its code. Pure.

import { type Advice, advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import type { Query } from './columns.ts'
import { attributeOf, optionOf, type QueryFlags } from './filters.ts'
import { balances, deposits, history, ledger, withdrawals } from './money-queries.ts'
import type { QueryDefinition, QueryForm, QueryName } from './queries.ts'
import { assets, contacts, markets } from './reference-queries.ts'
import { fills, orders, price } from './trading-queries.ts'

interface ChosenQuery {
  readonly query: QueryDefinition
  /** The positional argument of that query. */
  readonly argument: string | undefined
}

/** @throws OperationError (exit 2) naming the option. */
export function chosenQuery(command: QueryDefinition, argument: string | undefined, flags: QueryFlags): ChosenQuery {
  const { form } = command
  if (form === undefined) return { query: command, argument }
  const value = flags[attributeOf(form)]
  if (value === undefined) {
    for (const name of optionsBeyond(form.query, command))
      assertNot(name, flags, advice`${option(optionOf(form))} beside it`, 'it alone')
    return { query: command, argument }
  }
  for (const name of optionsBeyond(command, form.query))
    assertNot(name, flags, advice`no ${option(optionOf(form))} beside it`, 'both')
  const named = form.hasArgument === true ? String(value) : argument
  if (named === undefined && form.query.argument?.isRequired === true) throw unnamed(form)
  return { query: form.query, argument: named }
}

/** The options of `one` that `other` does not take. */
function optionsBeyond(one: QueryDefinition, other: QueryDefinition): string[] {
  const known = other.filters.map(optionOf)
  const own = one.filters.map(optionOf).filter((name) => !known.includes(name))
  return one.canRebase && !other.canRebase ? [...own, 'rebased'] : own
}

function assertNot(name: string, flags: QueryFlags, expected: Advice, got: string): void {
  if (flags[attributeOf({ flag: name })] === undefined) return
  throw unfit(name, advice`expected ${expected}; got ${got}`, advice`leave out ${option(name)}`)
}

function unnamed({ flag, query }: QueryForm): Error {
  const { argument, listedBy = query.name } = query
  const problem = `expected ${argument?.name} beside it, which is ${argument?.what}; got nothing`
  return unfit(optionOf({ flag }), problem, { do: 'query', query: listedBy, why: 'lists the known ones' })
}

export const queryOf: Readonly<Record<QueryName, Query>> = {
  balances,
  assets,
  markets,
  price,
  orders,
  fills,
  withdrawals,
  deposits,
  contacts,
  ledger,
  history,
}
