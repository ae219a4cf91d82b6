// Catches the lines that functions log in the process of a test.
import { vi } from 'vitest'

/** Collects the lines logged from now on, until all mocks are restored. */
export function catchLogLines(): string[] {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(
      ...String(text)
        .split('\n')
        .filter((line) => line !== ''),
    )
    return true
  })
  return lines
}
