// Follows how the outboxes stand for as long as somebody wants it: by a stream, and where that is refused, by one question after the other.
const SILENCE = 15000;

export function follow(wanted, tell) {
  let reading = null, timer = 0, streamsAgain = 0;
  const stop = () => { clearTimeout(timer); if (reading) { reading.stopped = true; reading.abort(); reading = null; } };
  async function run() {
    const want = wanted();
    if (reading && want && reading.token === want.token) return;
    stop();
    if (!want) return;
    const mine = reading = new AbortController();
    mine.token = want.token;
    let silence;
    const alive = () => { clearTimeout(silence); silence = setTimeout(() => mine.abort(), SILENCE); };
    try {
      alive();
      const streams = Date.now() >= streamsAgain;
      const response = await fetch(streams ? 'api/stream' : 'api/overview', { cache: 'no-store', signal: mine.signal, headers: want.token ? { Authorization: 'Bearer ' + want.token } : {} });
      if (streams && response.status === 503) streamsAgain = Date.now() + 60000;
      else if (streams && response.ok) await lines(response, line => { alive(); tell({ status: 200, data: JSON.parse(line) }, want.token); });
      else tell({ status: response.status, data: await response.json().catch(() => ({})) }, want.token);
    } catch (lost) {
      if (!mine.stopped) tell({ status: 0 }, want.token);
    }
    clearTimeout(silence);
    if (reading === mine) { reading = null; timer = setTimeout(run, want.interval); }
  }
  return run;
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
