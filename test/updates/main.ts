// `npm run updates`: judges whether deployments can follow each other. Follows each walk of walks.ts, and goes from
// each kept release to today. Deploys nothing.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { AssemblyFacts } from './assembly-facts.ts'
import type { Finding } from './judge.ts'
import { factsOf, judgeWalk } from './judge-walk.ts'
import { type Step, TAKEN_DOWN, WALKS } from './walks.ts'

const USAGE = `Example: npm run updates

Judges whether CloudFormation can carry out each change of a deployment, and whether records and keys survive it: every
walk through configurations, and from each release that is kept in test/updates/releases to today.
  --record NAME  keeps the assembly of today's source as the release NAME`

// Off, because npm run synth makes CDK's own check of the templates, which takes most of the time.
process.env.CDK_VALIDATION ??= 'false'

const RELEASES = new URL('releases/', import.meta.url)

const assemblies = new Map<Treasury, AssemblyFacts>()
const facts = (treasury: Treasury): AssemblyFacts => {
  const known = assemblies.get(treasury) ?? factsOf(treasury)
  assemblies.set(treasury, known)
  return known
}

/** Assemblies of a release: of the first step of each walk, by the walk's name. */
type Release = Readonly<Record<string, AssemblyFacts>>

function record(name: string): void {
  const release: Release = Object.fromEntries(
    WALKS.map(({ name: walk, steps: [first] }) => [walk, factsOfFirst(first)]),
  )
  mkdirSync(RELEASES, { recursive: true })
  writeFileSync(new URL(`${name}.json`, RELEASES), `${JSON.stringify(release)}\n`)
}

function factsOfFirst(first: Step | undefined): AssemblyFacts {
  if (first === undefined || first === TAKEN_DOWN) throw new TypeError('a walk has a first step')
  return facts(first)
}

function releases(): [string, Release][] {
  if (!existsSync(RELEASES)) return []
  return readdirSync(RELEASES)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(new URL(file, RELEASES), 'utf8')) as Release])
}

function judgeAll(): number {
  let failed = 0
  const tell = (name: string, findings: readonly { readonly step: number; readonly found: Finding }[]) => {
    if (findings.length > 0) failed += 1
    console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
    for (const { step, found } of findings) console.log(`      deployment ${step + 1}: ${wordsOf(found)}`)
  }
  for (const { name, steps } of WALKS) tell(name, judgeWalk(steps, facts))
  for (const [release, kept] of releases()) {
    for (const { name, steps } of WALKS) {
      const assembly = kept[name]
      if (assembly === undefined) continue
      tell(`${release} → today, then ${name}`, judgeWalk(steps, facts, assembly))
    }
  }
  console.log(failed === 0 ? 'every deployment can follow' : `${failed} walks cannot be deployed`)
  return failed === 0 ? 0 : 1
}

function wordsOf(found: Finding): string {
  if (found.finding === 'export-in-use') {
    return `${found.stack}: the export ${found.name} goes or changes, and ${found.usedBy} imports it`
  }
  const { finding, logicalId, name, stack, type } = found
  const effects = {
    'named-replaced': 'would be replaced',
    'name-taken': 'has a name that is taken',
    'state-deleted': 'would be deleted',
    'indexes-changed': 'changes an index, or more than one at once, which DynamoDB refuses',
    'goes-by-deployment':
      'counts from its deployment, or names times that CloudFormation cannot set once they have passed',
  }
  return `${stack}: ${type} ${logicalId}${name === undefined ? '' : ` (${name})`} ${effects[finding]}`
}

const { values } = parseArgs({ options: { record: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
if (values.help === true) console.log(USAGE)
else if (values.record !== undefined) record(values.record)
else process.exitCode = judgeAll()
