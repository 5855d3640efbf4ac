// One reader for all tabs of a browser that have the same token, as a SharedWorker: a browser opens six connections to a host, and a stream holds one.
// Tabs repeat that they are looked at; one that is hidden, gone or crashed does not.
import { follow } from './follow.js';

const SILENT = 15000, tabs = new Map(), readers = new Map();
const looking = token => [...tabs].filter(([, tab]) => tab.token === token);

function run() {
  for (const [port, { token, interval, at }] of tabs) {
    if (Date.now() - at > SILENT) tabs.delete(port);
    else if (!readers.has(token)) readers.set(token, follow(token, () => looking(token).length && interval, message => looking(token).forEach(([tab]) => tab.postMessage(message))));
  }
  readers.forEach(reader => reader());
}
setInterval(run, SILENT / 3);

self.onconnect = event => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.visible) tabs.set(port, { ...data, at: Date.now() }); else tabs.delete(port);
    run();
  };
};
