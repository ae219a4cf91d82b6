// Reads a query of CloudWatch Metrics Insights, to refuse one that CloudWatch would refuse. Nothing is queried here.
// Source: Amazon CloudWatch User Guide, "Query components and syntax in CloudWatch Metrics Insights".

/** A word, a name in double quotes, a value in single quotes, or a sign. */
const TOKEN = /\s*(?:(?<word>\w+)|"(?<name>(?:[^"\\]|\\.)+)"|'(?<value>(?:[^'\\]|\\.)*)'|(?<sign>!=|[(),=]))/y
const FUNCTIONS = ['AVG', 'COUNT', 'MAX', 'MIN', 'SUM']
/** Words of the grammar. As a name, each needs double quotes. */
const RESERVED = [
  ...FUNCTIONS,
  ...[
    'SELECT',
    'FROM',
    'SCHEMA',
    'WHERE',
    'AND',
    'OR',
    'NOT',
    'IN',
    'LIKE',
    'GROUP',
    'ORDER',
    'BY',
    'ASC',
    'DESC',
    'LIMIT',
  ],
]
const MOST_SERIES = 500

type Kind = 'word' | 'name' | 'value' | 'sign' | 'end'
interface Token {
  readonly kind: Kind
  readonly text: string
}
const END: Token = { kind: 'end', text: 'the end of the query' }

/** Whether an expression of an alarm or a dashboard is such a query, and not metric math. */
export function isQuery(expression: string): boolean {
  return /^\s*SELECT\b/i.test(expression)
}

/** Returns what is wrong with the query; undefined for one that follows the grammar. */
export function faultOfQuery(query: string): string | undefined {
  try {
    new Reader(tokensOf(query)).read()
    return undefined
  } catch (error) {
    if (error instanceof GrammarFault) return error.message
    throw error
  }
}

class GrammarFault extends Error {}

function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = []
  const text = query.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.groups
    const found = Object.entries(groups ?? {}).find(([, part]) => part !== undefined)
    if (found === undefined) throw new GrammarFault(`cannot be read from "${text.slice(from, from + 20).trim()}"`)
    tokens.push({ kind: found[0] as Kind, text: found[1] })
  }
  return tokens
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  read(): void {
    this.#expect('SELECT')
    this.#function(() => this.#name('the name of a metric'))
    this.#expect('FROM')
    if (this.#takes('SCHEMA')) {
      this.#sign('(')
      this.#name('a namespace')
      while (this.#takesSign(',')) this.#name('the name of a dimension')
      this.#sign(')')
    } else {
      this.#name('a namespace')
    }
    if (this.#takes('WHERE')) {
      do this.#condition()
      while (this.#takes('AND'))
    }
    if (this.#takes('GROUP')) {
      this.#expect('BY')
      do this.#name('the name of a dimension')
      while (this.#takesSign(','))
    }
    if (this.#takes('ORDER')) {
      this.#expect('BY')
      this.#function(() => undefined)
      if (!this.#takes('ASC')) this.#takes('DESC')
    }
    if (this.#takes('LIMIT')) this.#limit()
    if (this.#next.kind !== 'end')
      throw this.#fault('another clause of Metrics Insights, whose WHERE joins by AND only')
  }

  #condition(): void {
    this.#name('the name of a dimension')
    if (!this.#takesSign('=')) this.#sign('!=')
    if (this.#next.kind !== 'value') throw this.#fault('a value in single quotes')
    this.#at += 1
  }

  #function(argument: () => void): void {
    if (!FUNCTIONS.some((name) => this.#takes(name))) throw this.#fault(`one of ${FUNCTIONS.join(', ')}`)
    this.#sign('(')
    argument()
    this.#sign(')')
  }

  #limit(): void {
    const { text } = this.#next
    if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > MOST_SERIES)
      throw this.#fault(`a number from 1 to ${MOST_SERIES}`)
    this.#at += 1
  }

  #name(what: string): void {
    const { kind, text } = this.#next
    const isName = kind === 'name' || (kind === 'word' && !RESERVED.includes(text.toUpperCase()))
    if (!isName) throw this.#fault(what)
    this.#at += 1
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? END
  }

  #takes(word: string): boolean {
    const { kind, text } = this.#next
    if (kind !== 'word' || text.toUpperCase() !== word) return false
    this.#at += 1
    return true
  }

  #takesSign(sign: string): boolean {
    if (this.#next.kind !== 'sign' || this.#next.text !== sign) return false
    this.#at += 1
    return true
  }

  #expect(word: string): void {
    if (!this.#takes(word)) throw this.#fault(word)
  }

  #sign(sign: string): void {
    if (!this.#takesSign(sign)) throw this.#fault(sign)
  }

  #fault(expected: string): GrammarFault {
    return new GrammarFault(`has ${this.#next.text} where ${expected} is expected`)
  }
}
