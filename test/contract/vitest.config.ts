import { defineConfig } from 'vitest/config'

// Runs the contract suite alone (see main.ts). A distant service may be slow.
export default defineConfig({
  test: { include: ['test/contract/*.test.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 60_000 },
})
