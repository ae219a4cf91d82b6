// Naive variants of what may be sent at all: approvals, budgets, floors, quiet hours and halts.
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { atClient, atGuard, atHalts, losingCompare, type NaiveVariants, readingOf, writingOf } from './at-port.ts'

/** More trips than any world has. */
const EVERY_TRIP = 99

function withReleased(record: StoredRecord): StoredRecord {
  const released = record.released as object | undefined
  return released === undefined ? record : { ...record, released: { ...released, trip: EVERY_TRIP } }
}

export const NAIVE_GUARDS: NaiveVariants = {
  'people-are-not-asked': {
    about: 'sends a movement that a rule holds for people',
    world: 'withdraw',
    deployed: ({ guards, ...surroundings }) => {
      const { approval: _approval, ...everywhere } = guards.everywhere
      return { ...surroundings, guards: { ...guards, everywhere } }
    },
  },
  'no-guard-withdrawal': {
    about: 'sends a withdrawal that no guard was asked about',
    world: 'withdraw',
    ports: atGuard(() => ({ admit: async () => undefined })),
  },
  'no-guard-order': {
    about: 'sends an order that no guard was asked about',
    world: 'convert',
    ports: atGuard(() => ({ admit: async () => undefined })),
  },
  'reserve-after-arm': {
    about: 'arms a withdrawal, and reserves what it spends after that',
    world: 'withdraw',
    ports: (ports) => {
      let admitting: (() => Promise<unknown>) | undefined
      return {
        ...ports,
        guard: {
          ...ports.guard,
          async admit(...asked) {
            admitting = () => ports.guard.admit(...asked)
            return undefined
          },
        },
        journal: {
          ...ports.journal,
          async advance(intent, move) {
            const moved = await ports.journal.advance(intent, move)
            await admitting?.()
            admitting = undefined
            return moved
          },
        },
      }
    },
  },
  'budget-unread': {
    about: 'reserves as if nothing were reserved',
    world: 'withdraw',
    store: readingOf('B#', (record) => ({ ...record, reserved: {} })),
  },
  'value-of-the-wrong-side': {
    about: 'values what is spent by what it would bring',
    world: 'withdraw',
    ports: atClient((client) => ({ findPrice: (base, quote) => client.findPrice(base, quote, 'SELL') })),
  },
  'contact-as-it-was': {
    about: 'does not look again at a contact that may have changed',
    ...{ world: 'withdraw', untidy: ['contacts'] },
    ports: atClient((client, intent) => ({
      async contact(contactId) {
        const frozen = intent()?.frozen
        return frozen !== undefined && 'payee' in frozen ? frozen.payee : client.contact(contactId)
      },
    })),
  },
  'floor-unrecorded': {
    about: 'does not register for others what it is about to take',
    world: 'convert',
    store: writingOf('F#', async () => 'written'),
  },
  'floor-each-for-itself': {
    about: 'leaves out what other movements are about to take',
    ...{ world: 'convert', untidy: ['floors'] },
    store: readingOf('F#', (record) => ({ ...record, taking: {} })),
  },
  'floor-without-condition': {
    about: 'continues although another movement registered its amount first',
    ...{ world: 'convert', untidy: ['floors'] },
    store: losingCompare('F#'),
  },
  'frozen-is-there': {
    about: 'counts the frozen part of a balance as if it could be spent',
    ...{ world: 'convert', untidy: ['floors'] },
    ports: atClient((client) => ({
      balances: async () => (await client.balances()).map((held) => ({ ...held, balanceFrozen: '0' })),
    })),
  },
  'quiet-by-local-clock': {
    about: "takes this machine's clock for the service's in quiet hours",
    world: 'convert',
    ports: atGuard((guard, { clock }) => ({
      findQuiet: (guards) => guard.findQuiet(guards, clock.nowMs(), clock.nowMs()),
    })),
  },
  'quiet-by-a-second-look': {
    about: 'reads the time again after it has prepared the send',
    ...{ world: 'convert', isRare: true },
    ports: atGuard((guard, { service }) => ({
      findQuiet: (guards, _fromMs, toMs) => guard.findQuiet(guards, service.clock.reachedMs(), toMs),
    })),
  },
  'quiet-only-now': {
    about: 'sends right before quiet hours what may be accepted in them',
    world: 'withdraw',
    ports: atGuard((guard) => ({ findQuiet: (guards, fromMs) => guard.findQuiet(guards, fromMs, fromMs) })),
  },
  'ignore-halt': {
    about: 'does not look at the switch',
    world: 'withdraw',
    ports: atHalts(() => ({ find: async () => undefined })),
  },
  'ignore-policy-halt': {
    about: 'looks at the switch of everything alone',
    world: 'withdraw',
    ports: atHalts((halts) => ({ find: () => halts.find(undefined) })),
  },
  'halt-before-guards': {
    about: 'looks at the switch, and then at its guards',
    world: 'withdraw',
    ports: (ports, machine) => {
      let looked: { readonly call: number; readonly halt: ReturnType<typeof ports.halts.find> } | undefined
      const find: typeof ports.halts.find = (policy) => {
        if (looked?.call !== machine.calls) looked = { call: machine.calls, halt: ports.halts.find(policy) }
        return looked.halt
      }
      return { ...ports, halts: { ...ports.halts, find } }
    },
  },
  'ignore-persons-halt': {
    about: 'obeys the halts of breakers, and not those of people',
    world: 'convert',
    store: readingOf('H#', (record) => ({ ...record, halted: false })),
  },
  'ignore-trip': {
    about: 'obeys the halts of people, and not those of a breaker',
    world: 'convert',
    store: readingOf('T#', () => undefined),
  },
  'released-for-good': {
    about: 'takes the release of one trip for the release of every later one',
    world: 'withdraw',
    store: readingOf('H#', withReleased),
  },
  'names-of-the-file': {
    about: 'knows the names of a policy by its present file alone',
    world: 'mixed',
    store: readingOf('A#names', () => undefined),
  },
  'reports-another-end': {
    about: 'reports an order as filled for what was requested, whatever it converted',
    ...{ world: 'convert', untidy: ['quotes'] },
    ports: atClient((client, intent) => ({
      async findOrder(orderId) {
        const order = await client.findOrder(orderId)
        const attempt = intent()?.attempt
        const terms = attempt !== undefined && 'terms' in attempt ? attempt.terms : undefined
        const { side } = (intent()?.params ?? {}) as { readonly side?: string }
        const { baseAsset, quoteAsset } = (intent()?.frozen ?? {}) as {
          readonly baseAsset?: { readonly assetSymbol: string }
          readonly quoteAsset?: { readonly assetSymbol: string }
        }
        if (order === undefined || terms === undefined || side === undefined) return order
        return {
          ...order,
          ...{ side, market: terms.market, baseAmount: terms.baseAmount, quoteAmount: terms.quoteAmount },
          ...{ baseAsset: baseAsset?.assetSymbol ?? null, quoteAsset: quoteAsset?.assetSymbol ?? null },
        }
      },
    })),
  },
}
