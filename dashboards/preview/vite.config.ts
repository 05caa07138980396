import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// One script and one style sheet, which each dashboard's page loads beside its own data.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'pages',
    emptyOutDir: true,
    chunkSizeWarningLimit: 20_000,
    rolldownOptions: {
      input: 'src/main.tsx',
      output: { format: 'iife', entryFileNames: 'preview.js', assetFileNames: 'preview.[ext]', codeSplitting: false },
    },
  },
})
