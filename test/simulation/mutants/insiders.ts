// Lists naive variants that believe the journal's record, which somebody may have changed.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { ORDER, WITHDRAW } from './texts.ts'

const MOVEMENT_GUARD = 'core/guards/movement-guard.ts'
const FOLLOWS = 'core/movements/follows.ts'
const TERMS = 'core/journal/terms.ts'
const insiders = (world: SimulatedMutant['world'], about: string, ...edits: SimulatedMutant['edits']) =>
  amid(['insiders'], mutant(world, about, ...edits))

export const INSIDER_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'send-believes-the-record': insiders(
    'withdraw',
    'sends what the record holds, whatever the execution asked for and settled',
    edit(WITHDRAW, 'assertAsRequested(intent, request)', 'void request'),
    edit(WITHDRAW, 'if (settled !== termsHashOf(intent))', 'if (settled === undefined)'),
  ),
  'done-by-anything': amid(
    ['insiders', 'past'],
    mutant(
      'withdraw',
      'believes a record that says it is DONE, whoever has claimed the movement',
      edit(FOLLOWS, 'if (unproven !== undefined) throw', "if (unproven === '') throw"),
    ),
  ),
  'order-done-by-anything': amid(
    ['insiders', 'past'],
    mutant(
      'convert',
      'believes an order of a record that says it is DONE, whoever has claimed it',
      edit(ORDER, 'await assertClaimed(intent, ports.journal)', 'void assertClaimed'),
      edit('functions/poll-order/poll-order.ts', 'await assertClaimed(intent, ports.journal)', 'void assertClaimed'),
    ),
  ),
  'terms-of-the-record': insiders(
    'withdraw',
    'does not settle anew what it finds in the journal',
    edit(
      TERMS,
      'const isAsKnown = end === undefined && termsHashOf({ ...known, frozen, notAfter }) === termsHashOf(known)',
      'const isAsKnown = end === undefined',
    ),
    edit(FOLLOWS, 'hasParams(intent, request) ? findUnfollowed(intent)', 'hasParams(intent, request) ? undefined'),
  ),
  'value-of-the-record': insiders(
    'withdraw',
    'holds bounds in values against the value that the step before has settled',
    edit(MOVEMENT_GUARD, 'present && dearerOf(present, frozen.unitValues)', 'present && frozen.unitValues'),
  ),
  'price-of-the-record': amid(
    ['insiders', 'prices'],
    mutant(
      'convert',
      'judges a quote by the rate and the slippage that the step before has settled',
      edit(ORDER, ' ?? findQuoteBreach(withPrice(intent, price), terms)', ''),
    ),
  ),
  'time-of-the-record': insiders(
    'convert',
    'takes from the record until when it may be sent',
    edit(TERMS, 'Math.min(lifeEndMs, ', 'Math.max(lifeEndMs, '),
  ),
}
