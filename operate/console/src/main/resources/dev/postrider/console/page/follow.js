// Follows how the outboxes stand for as long as somebody wants it: by one stream after the other, and by questions where there may be none.
const SILENCE = 15000;

// wanted() tells how often, in milliseconds, or 0 while nobody looks.
export function follow(token, wanted, tell, streamsAgain = 0) {
  let reading = null, timer = 0;
  return async function run() {
    const interval = wanted();
    if (interval && (reading || timer)) return;
    clearTimeout(timer);
    timer = 0;
    if (reading) { reading.stopped = true; reading.abort(); reading = null; }
    if (!interval) return;
    const mine = reading = new AbortController(), begin = Date.now();
    let silence, wait = interval;
    const alive = () => { clearTimeout(silence); silence = setTimeout(() => mine.abort(), SILENCE); };
    try {
      alive();
      const streams = begin >= streamsAgain;
      const response = await fetch(streams ? 'api/stream' : 'api/overview', { cache: 'no-store', signal: mine.signal, headers: token ? { Authorization: 'Bearer ' + token } : {} });
      if (streams && response.status === 503) streamsAgain = begin + 60000;
      else if (streams && response.ok) {
        await lines(response, line => { alive(); tell({ status: 200, data: JSON.parse(line) }); });
        // Servers end streams after some seconds; that is no loss.
        wait -= Date.now() - begin;
      } else tell({ status: response.status, data: await response.json().catch(() => ({})) });
    } catch (lost) {
      if (!mine.stopped) tell({ status: 0 });
    }
    clearTimeout(silence);
    if (reading === mine) { reading = null; timer = setTimeout(() => { timer = 0; run(); }, wait); }
  };
}

async function lines(response, each) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '';;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    parts.forEach(each);
  }
}
