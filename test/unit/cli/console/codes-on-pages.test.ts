// Tests that no page says a code of the contract alone: its words stand there, and at most the code beside them.
import { describe, expect, test } from 'vitest'
import { FINDING_NAMES, NON_LEG_NAMES, NOTICE_NAMES } from '../../../../core/contract/code-names.ts'
import { outcomeName } from '../../../../core/contract/outcome-names.ts'
import { ConvertEnd, ConvertStep, WithdrawEnd, WithdrawStep } from '../../../../core/contract/outcomes.ts'
import { NonLegCode } from '../../../../core/contract/plan.ts'
import { FindingType } from '../../../../core/contract/reconcile.ts'
import { RunEnd } from '../../../../core/contract/runs.ts'
import { statusText } from '../../../../core/contract/service-names.ts'
import { errorOf } from '../../../../core/service/problem.ts'
import { payeeText } from '../../../../operations/words/request-words.ts'
import { reportHtml } from '../../../../views/html/report-html.ts'
import { auditReport } from '../../../../views/pages/audit.ts'
import { plan, rebalanced, withdraw } from '../../views/runs/sample-run.ts'
import { everyPage } from './every-page.ts'

const OUTCOMES = [RunEnd, ConvertEnd, WithdrawEnd, ConvertStep, WithdrawStep].flatMap((set) => Object.values(set))
const CODES = new Set<string>([
  ...OUTCOMES,
  ...Object.values(NonLegCode),
  ...Object.values(FindingType),
  ...Object.keys(NOTICE_NAMES),
  ...['INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT', 'no_answer'],
  ...['PARTIALLY_FILLED', 'EXTERNAL_FIAT_BANK', 'ON_HOLD'],
])
/** Plain words, such as `guard`, are spelled as people speak. */
const SPELLED_AS_CODES = [...CODES].filter((code) => /[A-Z_]|-.*-/.test(code))

/** The text that a reader sees, without the codes that stand beside their words. */
function shownOf(page: string): string {
  return page
    .replace(/<script.*?<\/script>|<style>.*?<\/style>|<svg.*?<\/svg>/gs, '')
    .replace(/(?<=\S )<code class="code">.*?<\/code>/g, '')
    .replace(/(?<=\S )\([A-Z_]+\)(?=<\/option>)/g, '')
    .replace(/<[^>]* placeholder="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]*>/g, ' ')
}

function rawCodesOf(text: string): readonly string[] {
  return SPELLED_AS_CODES.filter((code) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text))
}

test.each(everyPage('text'))('the page %s says no code of the contract alone', (_name, page) => {
  expect(rawCodesOf(shownOf(page))).toEqual([])
})

describe('the page of a run', () => {
  test.each(OUTCOMES)('says the outcome %s of a leg in words', (outcome) => {
    const [leg] = rebalanced.legs
    if (leg === undefined) throw new TypeError('the sample has legs')
    const shown = shownOf(reportHtml({ report: { ...rebalanced, legs: [{ ...leg, outcome }] }, legs: [] }))
    expect(rawCodesOf(shown)).toEqual([])
    expect(shown).toContain(outcomeName(outcome))
  })

  test.each(Object.values(RunEnd))('says its end %s in words, also in its timeline', (outcome) => {
    const shown = shownOf(reportHtml({ report: { ...rebalanced, outcome }, legs: [] }))
    expect(rawCodesOf(shown)).toEqual([])
    expect(shown).toContain(`The run ended: ${outcomeName(outcome)};`)
  })

  test.each(Object.values(NonLegCode))('says in words that a plan left something out by %s', (code) => {
    const nonLegs = [{ asset: 'SOL', code, reason: 'a reason' }]
    const shown = shownOf(reportHtml({ report: { ...rebalanced, plan: { ...plan, nonLegs } }, legs: [] }))
    expect(rawCodesOf(shown)).toEqual([])
    expect(shown).toContain(NON_LEG_NAMES[code].replaceAll("'", '&#39;'))
  })

  test.each(['INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT'])('says the kind %s of a payee in words', (type) => {
    const text = payeeText('contact/1', withdraw.payee && { ...withdraw.payee, type })
    expect(text).toMatch(/, (account at the service|crypto address|bank account) on POLYGON, /)
  })
})

test.each(Object.values(FindingType))('the page of an audit says its finding %s in words', (finding) => {
  const report = { since: '', through: '', findingsTotal: 1, findings: [{ finding, message: 'm' }], open: [] }
  const counts = { orders: 1, fills: 1, withdrawals: 0, entries: 0, intents: 1, foreign: 0, waiting: 0 }
  const page = auditReport({ ...report, ...counts, outcome: 'FINDINGS', youngSince: '', allFrom: '' }, '')
  expect(rawCodesOf(shownOf(page.text))).toEqual([])
  expect(shownOf(page.text)).toContain(FINDING_NAMES[finding])
})

test.each([
  ['PARTIALLY_FILLED', 'partially filled'],
  ['HELD_FOR_REVIEW', 'held for review'],
  ['Held, for now', 'Held, for now'],
])('the status %s of the service is said as %s', (status, text) => {
  expect(statusText(status)).toBe(text)
})

test('an absent answer of the service is said in words alone', () => {
  const problem = {
    endpoint: 'GET /v2/x',
    status: undefined,
    code: 'no_answer',
    detail: 'no answer from a.test (ECONNRESET)',
  }
  const { message } = errorOf('Transient', { ...problem, isDocument: false, retryable: true, extensions: {} })
  expect(message).toBe('GET /v2/x: no answer from a.test (ECONNRESET)')
})
