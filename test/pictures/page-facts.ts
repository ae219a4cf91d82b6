// Reads the content of a picture as data: headings of the page, columns of its tables, states and words. The data
// contains no time, amount or id, so equal events give equal data. Pure.

export interface PageFacts {
  readonly title: string
  readonly sections: readonly string[]
  /** Column titles of each table, by the table's name. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** Outcomes and modes, each once. */
  readonly badges: readonly string[]
  /** Labels of values, each once. */
  readonly terms: readonly string[]
  /** Events in the words of the timeline, each once. */
  readonly happened: readonly string[]
  /** States of the drawn machine. */
  readonly states: readonly string[]
}

/** Titles of the tables that depend on the prices of the moment. */
const BY_PRICES = new Set(['What was not done', 'What the guards say'])

export function factsOf(page: string): PageFacts {
  const tables = [...page.matchAll(/aria-label="([^"]*)" tabindex="0"><table[^>]*>\n<thead><tr>(.*?)<\/tr>/gs)].filter(
    ([, name = '']) => !BY_PRICES.has(name),
  )
  return {
    title: (all(page, /<h1>(.*?)<\/h1>/gs)[0] ?? '').replace(/, \d+ \w+ \d\d:\d\d$/, ''),
    sections: all(page, /<h2[^>]*>(.*?)<\/h2>/gs),
    tables: Object.fromEntries(tables.map(([, name = '', head = '']) => [name, all(head, /<th[^>]*>(.*?)<\/th>/gs)])),
    badges: once(all(page, /<span class="badge[^"]*">(.*?)<\/span>/gs)),
    terms: once(all(page, /<dt>(.*?)<\/dt>/gs)),
    happened: once(all(page, /<span class="what">(.*?)<\/span>/gs)),
    states: once(all(machineOf(page), /<text[^>]*>(.*?)<\/text>/gs)).map((state) => state.replace(/ ×\d+$/, '')),
  }
}

/** The drawing of the state machine; empty if the page has no drawing. */
export function machineOf(page: string): string {
  return /<svg class="machine".*?<\/svg>/s.exec(page)?.[0] ?? ''
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found.replace(/<[^>]*>/g, ''))
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}
