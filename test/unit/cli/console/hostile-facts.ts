// A fact of each kind, with a hostile text wherever other people's text can be.
import type { Fact } from '../../../../operations/movements/facts.ts'

export function hostileFacts(text: string): readonly Fact[] {
  const order = { movement: 'order' } as const
  const fill = { id: text, sequence: 1, baseAmount: text, quoteAmount: text, rate: text, executedAt: text }
  const facts: { readonly [Name in Fact['fact']]: Extract<Fact, { readonly fact: Name }> } = {
    asked: {
      fact: 'asked',
      at: '2026-01-31T09:00:00Z',
      what: text,
      notAfter: text,
      policy: text,
      run: text,
      requestId: text,
    },
    entered: { fact: 'entered', at: text, execution: text },
    checked: { fact: 'checked', amount: text, fee: text, total: text, assetSymbol: text, networkId: text, to: text },
    quoted: {
      ...{ fact: 'quoted', attempt: 2, orderId: text, expiresAt: text },
      terms: { market: text, rate: text, baseAmount: text, quoteAmount: text },
    },
    held: { fact: 'held', why: text },
    sent: { fact: 'sent', orderId: text, nonce: text, key: text, tokenEndsAt: text, ...order, isCertain: false },
    answered: { fact: 'answered', answer: 'refused', code: text, status: 400, text },
    doubt: {
      ...{ fact: 'doubt', until: text, ...order, why: text, looks: 2 },
      fence: { lastCopyDeadAt: text, listenedUntil: text, visibilitySeconds: 15 },
    },
    'attempt ended': { fact: 'attempt ended', why: text, wasInDoubt: true, ...order },
    fault: { fact: 'fault', state: text, error: text, message: text },
    stopped: { fact: 'stopped', execution: text, status: text, error: text },
    proven: { fact: 'proven', ...order, movementId: text, by: 'look', claimedBy: text },
    moving: { fact: 'moving', why: text },
    settled: {
      ...{ fact: 'settled', outcome: text, ...order, movementId: text, why: text, market: text, rate: text },
      ...{
        baseAmount: text,
        quoteAmount: text,
        fills: [fill],
        assetSymbol: text,
        amount: text,
        fee: text,
        total: text,
      },
      ...{ networkId: text, transactionHash: text, bankReference: text },
    },
    zero: { fact: 'zero', outcome: text, why: text, ...order, evidence: 'looked' },
    escalated: { fact: 'escalated', at: text, why: text, candidates: [{ id: text }] },
    resolved: { fact: 'resolved', at: text, by: text, because: text, movementId: text },
    open: { fact: 'open', state: 'ARMED', until: text, why: text },
  }
  return Object.values(facts)
}
