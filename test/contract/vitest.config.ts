import { defineConfig } from 'vitest/config'

// The contract suite by itself (see main.ts): a service far away may take its time.
export default defineConfig({
  test: { include: ['test/contract/*.test.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 60_000 },
})
