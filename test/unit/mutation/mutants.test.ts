// The generator makes each operator's mutants of a module, under names that do not change with the other functions.
import { expect, test } from 'vitest'
import { mutantsOf } from '../../mutation/mutants.ts'

const changesIn = (source: string) => mutantsOf('a.ts', source).map(({ name, change }) => `${name}: ${change}`)

test('a comparison gets its boundary and its negation', () => {
  expect(changesIn('const isLate = (at: number, end: number) => at >= end')).toEqual([
    'a.ts isLate return 1: at >= end -> undefined',
    'a.ts isLate boundary 1: >= -> >',
    'a.ts isLate negation 1: >= -> <',
  ])
})

test('a condition becomes true and false, and a statement and a body go', () => {
  expect(changesIn('function end(is: boolean) { if (!is) throw new Error(); note() }')).toEqual([
    'a.ts end block 1: { if (!is) throw new Error(); note() } -> {}',
    'a.ts end condition 1: !is -> true',
    'a.ts end condition 2: !is -> false',
    'a.ts end not 1: !is -> is',
    'a.ts end statement 1: throw new Error(); -> ;',
    'a.ts end statement 2: note() -> ;',
  ])
})

test('operators, optional links, methods and literals are replaced', () => {
  expect(changesIn('const sum = [1n + left?.[0], ids.some(Boolean) || names.filter(Boolean)] as const')).toEqual([
    'a.ts module array 1: [1n + left?.[0], ids.some(Boolean) || names.filter(Boolean)] -> []',
    'a.ts module arithmetic 1: + -> -',
    'a.ts module literal 1: 1n -> 2n',
    'a.ts module optional 1: ?. -> ',
    'a.ts module literal 2: 0 -> 1',
    'a.ts module logical 1: ids.some(Boolean) || names.filter(Boolean) -> ((ids.some(Boolean)) && (names.filter(Boolean)))',
    'a.ts module method 1: some -> every',
    'a.ts module method 2: names.filter(Boolean) -> names',
  ])
})

test('sentences, messages, types and imports have no mutants', () => {
  const source = `import { a } from 'a'
type Name = 'one' | 'two'
const text = \`it is \${a} of \${a === undefined ? '' : 'b'}\`
throw new Error('lost')`
  expect(changesIn(source).map((each) => each.replace(/: .*/, ''))).toEqual([
    'a.ts module condition 1',
    'a.ts module condition 2',
    'a.ts module negation 1',
    'a.ts module statement 1',
  ])
})

test('a name stays while its function stays, whatever comes before it', () => {
  const source = 'function last() { return 0 < 1 }'
  const names = mutantsOf('a.ts', source).map(({ name }) => name)
  expect(mutantsOf('a.ts', `function first() { return 1 < 2 }\n${source}`).map(({ name }) => name)).toEqual(
    expect.arrayContaining(names),
  )
})

test('the changed source has the change, and the line says where', () => {
  const [mutant] = mutantsOf('a.ts', 'const one = 1\nconst no = !one\n').slice(1)
  expect(mutant).toMatchObject({ line: 2, source: 'const one = 1\nconst no = one\n' })
})
