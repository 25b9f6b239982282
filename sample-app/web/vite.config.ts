import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The sample, for `npm run dev`. */
const sample = 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
  build: { chunkSizeWarningLimit: 1500 },
  server: { proxy: { '/agui': sample, '/sample.json': sample } },
});
