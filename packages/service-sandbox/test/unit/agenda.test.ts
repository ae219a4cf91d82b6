// Planned work of the sandbox is done in the order in which it is due.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agenda } from '../../service/agenda.ts'

test('due items come earliest first, and in the order of adding at equal times', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), fc.nat(5), (times, nowMs) => {
      const agenda = new Agenda<number>()
      for (const [index, atMs] of times.entries()) agenda.add(atMs, index)
      const taken: number[] = []
      for (let item = agenda.takeDue(nowMs); item !== undefined; item = agenda.takeDue(nowMs)) taken.push(item)
      const due = [...times.keys()].filter((index) => (times[index] as number) <= nowMs)
      expect(taken).toEqual(due.toSorted((a, b) => (times[a] as number) - (times[b] as number)))
    }),
  )
})
