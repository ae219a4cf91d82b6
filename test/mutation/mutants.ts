// Generates the mutants of a module from its syntax tree. Each has a stable name: file, enclosing function, operator, and
// ordinal within both. It reads no file and runs nothing.
import { parseAst } from 'vitest/node'
import { findReplacements, type Node } from './operators.ts'

export interface Mutant {
  /** `core/journal/fence.ts isPast boundary 1` */
  readonly name: string
  readonly file: string
  readonly line: number
  /** The replaced text and its replacement, on one line. */
  readonly change: string
  /** The changed module. */
  readonly source: string
}

/** `file`: path from the repository root. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const ordinals = new Map<string, number>()

  function visit(node: Node, outer: string, parents: readonly Node[]): void {
    const scope = scopeOf(node, outer)
    for (const { operator, start, end, text } of findReplacements(node, parents, source)) {
      const place = `${file} ${scope} ${operator}`
      const ordinal = (ordinals.get(place) ?? 0) + 1
      ordinals.set(place, ordinal)
      mutants.push({
        name: `${place} ${ordinal}`,
        file,
        line: source.slice(0, start).split('\n').length,
        change: `${onOneLine(source.slice(start, end))} -> ${onOneLine(text)}`,
        source: source.slice(0, start) + text + source.slice(end),
      })
    }
    for (const child of childrenOf(node)) visit(child, scope, [node, ...parents])
  }

  visit(parseAst(source, { lang: 'ts' }) as never as Node, 'module', [])
  return mutants
}

const MOST_TEXT = 80

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MOST_TEXT ? `${line.slice(0, MOST_TEXT)}…` : line
}

/** Types, imports and the names of properties have no mutants. */
function* childrenOf(node: Node): Iterable<Node> {
  for (const [field, value] of Object.entries(node)) {
    if (field === 'key' && node.computed !== true) continue
    if (field === 'property' && node.computed !== true) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child) && hasCode(child)) yield child
  }
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Expressions inside a statement about types. */
const TYPED = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSParameterProperty'])

function hasCode({ type, source }: Node): boolean {
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return false
  if (type === 'ExportNamedDeclaration' && source !== null) return false
  return !type.startsWith('TS') || TYPED.has(type)
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression'])

/** The names of the class and of the innermost named function. */
function scopeOf(node: Node, scope: string): string {
  const value = (node.init ?? node.value) as Node | null | undefined
  const isFunction = FUNCTIONS.has(value?.type ?? '')
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return nameOf(node.id) ?? scope
    case 'VariableDeclarator':
      return (isFunction ? nameOf(node.id) : undefined) ?? scope
    case 'Property':
      return (isFunction ? nameOf(node.key) : undefined) ?? scope
    case 'MethodDefinition':
      return nameOf(node.key) ?? scope
    default:
      return scope
  }
}

const nameOf = (id: unknown) => (id as { readonly name?: string } | null)?.name
