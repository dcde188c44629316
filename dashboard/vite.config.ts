import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const server = process.env.USHER_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root,
  base: '/app/',
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: `${root}routes`,
      generatedRouteTree: `${root}route-tree.gen.ts`,
      quoteStyle: 'single',
    }),
    react(),
    tailwind(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy allows no data: URLs, so small files stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The browsers that support light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: { '^/app/api/': { target: server, headers: { origin: server } } },
  },
})
