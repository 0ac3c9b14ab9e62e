// Drives the built worker of the engine from a test: answers every job in turn.
async ({ script, files, games, jobs }) => {
  const worker = new Worker(script, { type: 'module' });
  const answers = [];
  const longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
  });
  try {
    const heard = (wanted) =>
      new Promise((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }) => {
          if (wanted.includes(data.type)) resolve(data);
        };
      });
    const began = performance.now();
    worker.postMessage({ type: 'start', files, startedAt: Date.now() });
    const ready = await heard(['ready', 'unavailable']);
    const readyMs = performance.now() - began;
    for (const [key, definition] of Object.entries(games)) worker.postMessage({ type: 'game', key, definition });
    for (const [id, job] of jobs.entries()) {
      const answer = heard(['done', 'failed']);
      worker.postMessage({ type: 'request', id, ...job });
      answers.push(await answer);
    }
    return { ready, readyMs, answers, longTasks };
  } finally {
    worker.terminate();
  }
}
