// Tests that no page shows more digits than a person reads, wherever an amount stands. Every digit
// is in the title of a figure, behind the switch of the page, and in each export.
import { expect, test } from 'vitest'
import { everyPage } from './every-page.ts'

const UGLY = '51225.57471030051234'

/** The text that a reader sees while the switch is off. */
function shownOf(page: string): string {
  return page
    .replace(/<script.*?<\/script>|<style>.*?<\/style>|<textarea.*?<\/textarea>/gs, '')
    .replace(/<span class="all">.*?<\/span>/gs, '')
    .replace(/<[^>]*>/g, ' ')
}

/** A statement is proven to the last digit, so it cuts no figure. */
const pages = everyPage('text', UGLY).filter(([name]) => name !== 'statement')

test.each(pages)('no figure of the page %s has more digits than a person reads', (_name, page) => {
  const long = shownOf(page).match(/[^ ]*\d\.(?!0)\d{9,}[^ ]*/g) ?? []
  expect([...new Set(long)]).toEqual([])
})
