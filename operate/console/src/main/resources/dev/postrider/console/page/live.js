// Reads the overview once in each interval for all tabs of a browser, as a SharedWorker; tabs that are hidden do not count.
const tabs = new Map();
let timer, running = false, interval = 2000;

async function tick() {
  clearTimeout(timer);
  if (running) return;
  const visible = [...tabs.entries()].filter(([, tab]) => tab.visible);
  if (!visible.length) return;
  running = true;
  const token = visible[0][1].token;
  let message;
  try {
    const response = await fetch('api/overview', { cache: 'no-store', signal: AbortSignal.timeout(15000), headers: token ? { Authorization: 'Bearer ' + token } : {} });
    message = { status: response.status, data: await response.json() };
  } catch (lost) {
    message = { status: 0 };
  }
  running = false;
  for (const [port, tab] of tabs) if (tab.visible && tab.token === token) port.postMessage(message);
  timer = setTimeout(tick, interval);
}

self.onconnect = event => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.gone) tabs.delete(port);
    else { tabs.set(port, data); interval = data.interval || interval; tick(); }
  };
};
