// The operators of mutation: what each replaces in a node of a syntax tree (ESTree). Sentences for people have no mutants,
// because tests assert codes.

/** A node of ESTree, with any of its fields. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Replacement {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly text: string
}

const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const NEGATIONS: Readonly<Record<string, string>> = {
  ...{ '<': '>=', '<=': '>', '>': '<=', '>=': '<' },
  ...{ '===': '!==', '!==': '===' },
}
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }
const ASSIGNMENTS: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=' }
const UPDATES: Readonly<Record<string, string>> = { '++': '--', '--': '++' }
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', find: 'findLast', findLast: 'find', min: 'max', max: 'min' },
  ...{ startsWith: 'endsWith', endsWith: 'startsWith' },
}
/** Methods that return something like their object, so that the call can be left out. */
const DROPPED_METHODS = new Set(['filter', 'reverse', 'slice', 'sort', 'toReversed', 'toSorted', 'trim'])

/** `parents`: the innermost first. */
export function findReplacements(node: Node, parents: readonly Node[], source: string): Replacement[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const whole = (operator: string, ...texts: string[]) =>
    texts.map((text) => ({ operator, start: node.start, end: node.end, text }))
  /** Replaces the operator between two operands. */
  const between = (name: string, left: Node, right: Node, known: string, others: Readonly<Record<string, string>>) => {
    const other = others[known]
    if (other === undefined) return []
    const start = left.end + source.slice(left.end, right.start).indexOf(known)
    return [{ operator: name, start, end: start + known.length, text: other }]
  }
  const condition = (test: Node, ...texts: string[]) =>
    texts.map((text) => ({ operator: 'condition', start: test.start, end: test.end, text }))

  switch (node.type) {
    case 'BinaryExpression': {
      const { left, right, operator } = node as Node & Operands
      const isText = [left, right].some((side) => side.type === 'TemplateLiteral' || typeof side.value === 'string')
      return [
        ...between('boundary', left, right, operator, BOUNDARIES),
        ...between('negation', left, right, operator, NEGATIONS),
        ...(isText ? [] : between('arithmetic', left, right, operator, ARITHMETIC)),
      ]
    }
    case 'LogicalExpression': {
      const { left, right, operator } = node as Node & Operands
      return whole('logical', `((${textOf(left)}) ${LOGICAL[operator]} (${textOf(right)}))`)
    }
    case 'UnaryExpression':
      return node.operator === '!' ? whole('not', textOf(node.argument as Node)) : []
    case 'AssignmentExpression': {
      const { left, right, operator } = node as Node & Operands
      return between('arithmetic', left, right, operator, ASSIGNMENTS)
    }
    case 'UpdateExpression': {
      const other = UPDATES[node.operator as string]
      const argument = textOf(node.argument as Node)
      return other === undefined ? [] : whole('arithmetic', node.prefix === true ? other + argument : argument + other)
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return condition(node.test as Node, 'true', 'false')
    case 'WhileStatement':
      return condition(node.test as Node, 'false')
    case 'ForStatement':
      return node.test ? condition(node.test as Node, 'false') : []
    case 'ExpressionStatement':
    case 'ThrowStatement':
      return whole('statement', ';')
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return node.body ? body(node.body as Node) : []
    case 'ReturnStatement':
      return node.argument && textOf(node) !== 'return undefined' ? whole('return', 'return undefined') : []
    case 'ArrowFunctionExpression': {
      const { start, type } = node.body as Node
      if (type === 'BlockStatement') return body(node.body as Node)
      // The body may be in parentheses, which end with the function.
      const arrowEnd = source.slice(0, start).lastIndexOf('=>') + 2
      return [{ operator: 'return', start: arrowEnd, end: node.end, text: ' undefined' }]
    }
    case 'Literal':
      return whole('literal', ...literals(node, parents, source))
    case 'TemplateLiteral':
      return isForPeople(textOf(node), parents, source) ? [] : whole('literal', '``')
    case 'MemberExpression':
      return node.optional === true ? optionalLink(node, source) : []
    case 'CallExpression':
      return calls(node, source, whole)
    case 'ArrayExpression':
      return (node.elements as unknown[]).length > 0 ? whole('array', '[]') : []
    default:
      return []
  }
}

interface Operands {
  readonly left: Node
  readonly right: Node
  readonly operator: string
}

/** The body of a function. A body of one statement has the mutants of that statement. */
function body({ start, end, body: statements }: Node): Replacement[] {
  return (statements as unknown[]).length > 1 ? [{ operator: 'block', start, end, text: '{}' }] : []
}

function literals({ value, bigint }: Node, parents: readonly Node[], source: string): string[] {
  if (typeof bigint === 'string') return [`${BigInt(bigint) + 1n}n`]
  if (typeof value === 'number') return [String(value + 1)]
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value !== 'string' || isForPeople(value, parents, source)) return []
  return [value === '' ? "'?'" : "''"]
}

/** Sentences and their parts, messages of errors, and the names by which a parser calls in its error what it was given. */
function isForPeople(text: string, parents: readonly Node[], source: string): boolean {
  const [parent, grandparent] = parents
  const isPart = parents.some(
    ({ type, start, end }) => type === 'TemplateLiteral' && /\w \w/.test(source.slice(start, end)),
  )
  if (isPart) return true
  if (parent?.type === 'NewExpression' && grandparent?.type === 'ThrowStatement') return true
  const called =
    parent?.type === 'CallExpression' ? (parent.callee as Node & { readonly name?: string }).name : undefined
  return text.includes(' ') || called?.startsWith('parse') === true
}

function optionalLink({ object }: Node, source: string): Replacement[] {
  const start = (object as Node).end + source.slice((object as Node).end).indexOf('?.')
  // `?.[` becomes `[`.
  return [{ operator: 'optional', start, end: start + 2, text: source[start + 2] === '[' ? '' : '.' }]
}

function calls(
  { callee }: Node,
  source: string,
  whole: (operator: string, ...texts: string[]) => Replacement[],
): Replacement[] {
  const { type, object, property, computed, optional } = callee as Node
  if (type !== 'MemberExpression' || computed === true) return []
  const { name, start, end } = property as Node & { readonly name: string }
  const { start: from, end: to } = object as Node
  if (DROPPED_METHODS.has(name) && optional !== true) return whole('method', source.slice(from, to))
  const other = Object.hasOwn(SWAPPED_METHODS, name) ? SWAPPED_METHODS[name] : undefined
  return other === undefined ? [] : [{ operator: 'method', start, end, text: other }]
}
