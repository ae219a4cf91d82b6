// Shows the legs of a run, as planned and as executed: what each leg does, why, and its ids. Pure: data in, HTML out.
import { toneOfLeg } from '../../operations/words/outcome-words.ts'
import type { LegFacts, Money } from '../runs/leg-facts.ts'
import { table } from './html-table.ts'
import { html, type Markup, type Part } from './markup.ts'
import { movementBadge } from './outcome-badge.ts'
import { said } from './shown-figures.ts'

/** `nameOf` gives the content of a leg's first cell, for example a link. By default it is the leg's key. */
export function legTable(
  legs: readonly LegFacts[],
  valuationAsset: string,
  nameOf: (leg: LegFacts) => Part = ({ key }) => key,
): Markup {
  const all = [
    { title: 'leg', text: nameOf, isHead: true },
    { title: 'outcome', text: ({ outcome }: LegFacts) => movementBadge(outcome) },
    { title: 'gives', text: ({ gives }: LegFacts) => gives.amount, isAmount: true },
    { title: 'asset', text: ({ gives }: LegFacts) => gives.asset, isUnit: true },
    { title: 'brings', text: ({ brings }: LegFacts) => brings?.amount ?? '', isAmount: true },
    { title: 'asset', text: ({ brings }: LegFacts) => brings?.asset ?? '', isUnit: true },
    { title: 'planned rate', text: ({ indicativeRate }: LegFacts) => indicativeRate, isAmount: true },
    { title: 'actual rate', text: ({ filledRate }: LegFacts) => filledRate, isAmount: true },
    { title: 'worse by bps', text: ({ slippageBps }: LegFacts) => slippageBps, isAmount: true },
    {
      title: `spread planned, ${valuationAsset}`,
      text: ({ spreadCost }: LegFacts) => spreadCost,
      isAmount: true,
      by: 'cents' as const,
    },
    { title: 'paid', text: ({ spreadPaid }: LegFacts) => spreadPaid, isAmount: true, by: 'cents' as const },
    { title: 'fee planned', text: ({ fee }: LegFacts) => amountOf(fee), isAmount: true },
    { title: 'fee paid', text: ({ feePaid }: LegFacts) => amountOf(feePaid), isAmount: true },
  ]
  // A sweep has no rates, and a rebalance no fees.
  const cells = all.filter(({ text, isAmount }) => isAmount !== true || legs.some((leg) => text(leg) !== ''))
  return table('Legs, as planned and as they went', cells, legs, belowOf)
}

function belowOf({ what, why, note, outcome, attemptCount, ids }: LegFacts): Markup {
  return html`<p>${said(what)}. <span class="dim">${said(why)}</span></p>
${attemptCount > 1 && html`<p class="wait">${attemptCount} attempts; at most one of them moved money.</p>`}
${note !== '' && html`<p class="${toneOfLeg(outcome)}">${said(note)}</p>`}
<p class="ids">${ids.map(([name, id]) => html`<span><span class="dim">${name}</span> <code>${id}</code></span> `)}</p>`
}

function amountOf(money: Money | undefined): string {
  return money?.amount ?? ''
}
