// A step, an option or another value in a template becomes "[object Object]" for people, and TypeScript allows it. So each value
// in a template of the product is a text, a number, or of a type that has a text of its own.
import path from 'node:path'
import { type Node, SyntaxKind, type TemplateExpression } from 'typescript/unstable/ast'
import { API, type Project, type Type, TypeFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const ROOMS = /^(cli|operations|place|views|console|core|functions|infra|packages)\//
const HAS_TEXT = new Set(['Decimal', 'URLSearchParams'])

/** The templates of a node that no function spells, with the values in them. */
function valuesIn(node: Node): Node[] {
  const inner: Node[] = []
  node.forEachChild((child) => void inner.push(...valuesIn(child)))
  const isPlain =
    node.kind === SyntaxKind.TemplateExpression && node.parent?.kind !== SyntaxKind.TaggedTemplateExpression
  return isPlain ? [...(node as TemplateExpression).templateSpans.map(({ expression }) => expression), ...inner] : inner
}

function isShown(type: Type | undefined, project: Project): boolean {
  if (type === undefined || !(type.flags & (TypeFlags.Object | TypeFlags.Union))) return true
  if (type.isUnionType()) return type.getTypes().every((one) => isShown(one, project))
  const { checker } = project
  return HAS_TEXT.has(type.getSymbol()?.name ?? '') || checker.getPropertiesOfType(type).length === 0
}

test('no template of the product holds a value that has no text', { timeout: 120_000 }, () => {
  const api = new API({ cwd: ROOT })
  const project = api.updateSnapshot({ openProjects: [path.join(ROOT, 'tsconfig.json')] }).getProjects()[0] as Project
  const found: string[] = []
  let values = 0
  for (const name of project.program.getSourceFileNames()) {
    const file = path.relative(ROOT, name)
    const source = ROOMS.test(file) ? project.program.getSourceFile(name) : undefined
    const nodes = source === undefined ? [] : valuesIn(source)
    values += nodes.length
    for (const [at, type] of (nodes.length === 0 ? [] : project.checker.getTypeAtLocation(nodes)).entries())
      if (!isShown(type, project)) found.push(`${file}: ${nodes[at]?.getText(source)}`)
  }
  api.close()
  expect(found).toEqual([])
  expect(values).toBeGreaterThan(4_000)
})
