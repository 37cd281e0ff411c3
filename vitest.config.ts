import { defineConfig } from 'vitest/config';

const conditions = ['@sidenote/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
      'scripts/**/*.test.js',
      'conformance/**/*.test.js',
    ],
    testTimeout: 30_000,
    server: { deps: { inline: [/^@sidenote\//] } },
  },
});
