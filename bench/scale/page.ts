// The tables of docs/scale.md, which the model draws. What people wrote around them stays. `npm run docs:scale` writes the
// page; test/docs/scale.test.ts keeps it current.
import { fileURLToPath } from 'node:url'
import type { Counts } from './counts.ts'
import { type Assessment, assess, QUOTAS } from './model.ts'
import type { Source } from './quota.ts'
import { figure, shareText, waitText } from './text.ts'
import { USUAL } from './workload.ts'

export const SCALE_PAGE = fileURLToPath(new URL('../../docs/scale.md', import.meta.url))

const STEPS = [1_000, 10_000, 100_000, 1_000_000]
const [SOME, MANY] = [10_000, 1_000_000]
const SEED = 1

/** `page` with every table drawn anew. @throws TypeError where it has no place for one, or a place for none */
export function drawScale(page: string, counts: Counts): string {
  const at = (runsADay: number, hasBudget = true) => assess({ ...USUAL, runsADay, hasBudget }, counts, {}, SEED)
  const tables: Readonly<Record<string, string>> = {
    shares: sharesTable(at(SOME), at(MANY)),
    lines: linesTable(STEPS.map((runs) => at(runs))),
    quotas: quotasTable(),
  }
  const places = [...page.matchAll(/<!-- table (\w+) -->/g)].map(([, name = '']) => name)
  const [one, other] = [places, Object.keys(tables)].map((names) => names.toSorted().join(', '))
  if (one !== other) throw new TypeError(`docs/scale.md has places for ${one}, and there are ${other}`)
  return page.replaceAll(
    /(<!-- table (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}\n${tables[name]}\n\n${end}`,
  )
}

/** What breaks at the fewest runs first. */
function sharesTable(some: Assessment, many: Assessment): string {
  const order = some.quotas.toSorted((one, other) => (one.bears ?? Infinity) - (other.bears ?? Infinity))
  const rows = order.map((use) => {
    const later = many.quotas.find(({ name }) => name === use.name) ?? use
    const bears = use.bears === undefined ? 'any number' : figure(use.bears)
    return [
      `\`${use.name}\``,
      bears,
      ...[use, later].flatMap((each) => [figure(each.load), shareText(each.share)]),
      figure(use.limit),
    ]
  })
  const head = ['quota', 'bears runs a day', `at ${figure(SOME)}`, 'used', `at ${figure(MANY)}`, 'used', 'limit']
  return tableOf(head, rows)
}

function linesTable(assessments: readonly Assessment[]): string {
  const rows = assessments.map(({ lines, workload }) => [figure(workload.runsADay), ...lines.map(waitText)])
  return tableOf(['runs a day', 'for the lane of an asset', 'for the rate of the service'], rows)
}

function quotasTable(): string {
  const rows = QUOTAS.map(({ change, limit, name, source, told, what }) => [
    `\`${name}\``,
    what,
    figure(limit),
    sourceText(source),
    told,
    change,
  ])
  return tableOf(['quota', 'what it bounds', 'limit', 'source', 'what tells of it first', 'what to change'], rows)
}

function sourceText({ how, of, where }: Source): string {
  if (how === 'ours') return `\`${where}\``
  return `${how}, ${of}: ${where.includes('/') ? `[${where.split('/').at(-1)}](https://${where})` : where}`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
