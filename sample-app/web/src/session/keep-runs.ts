/** Lets runs go on while the page is loaded again; without a service worker they end with the page. */
export function keepRuns(): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker?.register('/keeper.js').catch(() => undefined);
}
