// Writes what the types of the client and of the construct say in their doc comments into the tables and examples of their
// README. `node bin/run.cjs test/docs/write-api-tables.ts` writes both; a test keeps them current.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ModifierFlags } from 'typescript/unstable/ast'
import { API, type Project, SignatureKind, type Symbol as TypeSymbol } from 'typescript/unstable/sync'
import { ROOT } from './pages.ts'

/** The files whose exports a page may name. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'packages/client/README.md': ['client.ts', 'errors.ts', 'handle.ts'].map((file) => `packages/client/${file}`),
  'infra/README.md': ['sluice.ts', 'deployed-sluice.ts', 'constructs/network.ts'].map((file) => `infra/${file}`),
}
export const PAGES_WITH_API = Object.keys(SOURCES)

/** A place such as `<!-- api members: SluiceClient Handle -->`. */
const PLACE = /(<!-- api (members|comments|example): ([\w ]+) -->\n).*?(?=<!-- end of api -->)/gs

/** The page with what the types say now in its places. */
export function withApi(page: string): string {
  const config = path.join(ROOT, 'api.tsconfig.json')
  // Without resolution it reads these files alone, in a fifth of a second.
  const compilerOptions = { noResolve: true, noLib: true, types: [], module: 'nodenext', noEmit: true }
  const text = JSON.stringify({ compilerOptions, files: SOURCES[page] })
  const readFile = (file: string) => (file === config ? text : undefined)
  const api = new API({ cwd: ROOT, fs: { readFile, fileExists: (file) => file === config || undefined } })
  const project = api.updateSnapshot({ openProjects: [config] }).getProjects()[0] as Project
  const exported = (SOURCES[page] ?? []).flatMap((file) => {
    const source = project.program.getSourceFile(file)
    return [...((source && project.checker.getSymbolAtLocation(source))?.getExports().values() ?? [])]
  })
  const filled = readFileSync(path.join(ROOT, page), 'utf8').replace(PLACE, (_, place, what, names) => {
    const symbols = exported.filter(({ name }) => names.split(' ').includes(name))
    const lines = what === 'example' ? symbols.map((one) => exampleOf(project, one)) : tableOf(project, symbols, what)
    const link = `[the $2](${path.relative(path.dirname(page), '.')}/$1)`
    return `${place}\n${lines.join('\n').replaceAll(/\b(docs\/([\w-]+)\.md)/g, link)}\n\n`
  })
  api.close()
  return filled
}

function exampleOf({ checker }: Project, symbol: TypeSymbol): string {
  return `\`\`\`ts\n${symbol.getJsDocTags(checker).find(({ name }) => name === 'example')?.text}\n\`\`\``
}

/** A method without text joins the row before. */
function tableOf(project: Project, symbols: readonly TypeSymbol[], what: string): string[] {
  const rows: string[] = []
  for (const symbol of what === 'members' ? symbols.flatMap((one) => membersOf(project, one)) : symbols) {
    const errors = symbol.getJsDocTags(project.checker).filter(({ name }) => name === 'throws')
    const throws = errors.map(({ text }) => ` Throws ${text}.`).join('')
    const text = symbol.getDocumentationComment(project.checker).replaceAll(/\s+/g, ' ') + throws
    const type = project.checker.getTypeOfSymbol(symbol)
    const [call] = type === undefined ? [] : project.checker.getSignaturesOfType(type, SignatureKind.Call)
    const parameters =
      call &&
      `(${call
        .getParameters()
        .map(({ name }) => name)
        .join(', ')})`
    if (text !== '') rows.push(`| \`${symbol.name}${parameters ?? ''}\` | ${text}`)
    else if (call !== undefined) rows.push(`${rows.pop()?.replace(/(?<=`) \| /, `, \`${symbol.name}\` | `)}`)
  }
  return ['| name | meaning', '| --- | ---', ...rows]
}

/** Public members in the order of the file. Inherited ones follow. */
function membersOf(project: Project, symbol: TypeSymbol): readonly TypeSymbol[] {
  const inherited = project.checker.getPropertiesOfType(project.checker.getDeclaredTypeOfSymbol(symbol))
  const place = ({ declarations: [at] }: TypeSymbol) =>
    (at?.path === symbol.declarations[0]?.path ? 0 : 1e6) + (at?.index ?? 0)
  const isPublic = (member: TypeSymbol) => {
    const { modifierFlags = 0 } = (member.valueDeclaration?.resolve() ?? {}) as { modifierFlags?: number }
    return (
      !/^(__#|prototype$)/.test(member.name) && !(modifierFlags & (ModifierFlags.Private | ModifierFlags.Protected))
    )
  }
  return [...inherited, ...symbol.getExports().values()]
    .filter(isPublic)
    .sort((one, other) => place(one) - place(other))
}

if (import.meta.main) for (const page of PAGES_WITH_API) writeFileSync(path.join(ROOT, page), withApi(page))
