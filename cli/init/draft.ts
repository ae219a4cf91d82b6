// From answers to the text of a treasury.json, and what in it does not go together with what the service has. Pure.
import { sameCode } from '../../functions/contract/fields.ts'
import { PolicyKind } from '../../functions/contract/policies.ts'
import type { Stage } from '../../functions/contract/treasury.ts'
import { type Answers, listed } from './questions.ts'
import type { Reference } from './reference.ts'

export interface DraftFacts {
  /** As an editor finds it from the file. */
  readonly schema: string
  readonly serviceUrl: string
  readonly stage: Stage
}

/** Every question that goes with its kind is answered. */
export function treasuryText(answers: Answers, { schema, serviceUrl, stage }: DraftFacts): string {
  const policies = { [of(answers, 'name')]: policyOf(answers) }
  const service = { url: serviceUrl, stage, keySecret: 'sluice/service-key' }
  return `${JSON.stringify({ $schema: schema, service, policies }, undefined, 2)}\n`
}

function policyOf(answers: Answers): Record<string, unknown> {
  const schedule = of(answers, 'schedule')
  return {
    kind: of(answers, 'kind'),
    mode: of(answers, 'mode'),
    ...(schedule !== 'none' && { schedule: { expression: schedule } }),
    ...termsOf(answers),
    approval: { above: of(answers, 'approve-above') },
  }
}

function termsOf(answers: Answers): Record<string, unknown> {
  const keep = { target: answers.keep ?? '0' }
  switch (of(answers, 'kind') as PolicyKind) {
    case PolicyKind.Rebalance:
      return { weights: Object.fromEntries(listed(of(answers, 'weights')).map((part) => part.split('=', 2))) }
    case PolicyKind.Fund:
      return {
        asset: of(answers, 'asset'),
        atLeast: of(answers, 'at-least'),
        from: listed(of(answers, 'from')).map((asset) => ({ asset })),
      }
    case PolicyKind.ConvertOnArrival:
      return { asset: of(answers, 'asset'), into: of(answers, 'into'), keep }
    case PolicyKind.Sweep:
      return { rules: [{ assets: listed(of(answers, 'assets')), keep, contactId: of(answers, 'contact') }] }
    case PolicyKind.ConvertAndWithdraw: {
      const { sell, into, contact } = {
        sell: of(answers, 'sell'),
        into: of(answers, 'into'),
        contact: of(answers, 'contact'),
      }
      return { from: sell, into, keep, contactId: contact }
    }
  }
}

function of(answers: Answers, flag: string): string {
  const answer = answers[flag]
  if (answer === undefined) throw new TypeError(`--${flag} has no answer`)
  return answer
}

/** One line a finding: each part is in order, and they do not go together. */
export function findMisfits(answers: Answers, { markets, contacts }: Reference): string[] {
  const { contact: contactId, kind, into, sell, asset } = answers
  const contact = contacts.find(({ id }) => id === contactId)
  const sent = kind === PolicyKind.Sweep ? listed(answers.assets ?? '') : into === undefined ? [] : [into]
  const misfits = sent.filter((code) => typeof contact?.asset === 'string' && !sameCode(contact.asset, code))
  const from = kind === PolicyKind.ConvertAndWithdraw ? sell : kind === PolicyKind.ConvertOnArrival ? asset : undefined
  return [
    ...misfits.map((code) => `--contact: expected a contact that takes ${code}; got one for ${contact?.asset}`),
    ...(from === undefined || into === undefined || leads(from, into, markets)
      ? []
      : [`--into: expected an asset that ${from} can be converted into; no market leads to ${into}, also through USD`]),
  ]
}

/** Directly either way round, or through the valuation asset that a fresh configuration has. */
function leads(from: string, into: string, markets: Reference['markets']): boolean {
  const has = (left: string, right: string) =>
    markets.some(
      ({ baseAsset, quoteAsset }) =>
        (sameCode(baseAsset, left) && sameCode(quoteAsset, right)) ||
        (sameCode(baseAsset, right) && sameCode(quoteAsset, left)),
    )
  return has(from, into) || (has(from, 'USD') && has('USD', into))
}
