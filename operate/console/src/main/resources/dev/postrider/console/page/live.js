// One reader for all tabs of a browser, as a SharedWorker: a browser opens six connections to a host, and a stream holds one. Hidden tabs do not count.
import { follow } from './follow.js';

const tabs = new Map();
const run = follow(
  () => [...tabs.values()].find(tab => tab.visible),
  (message, token) => { for (const [port, tab] of tabs) if (tab.visible && tab.token === token) port.postMessage(message); });

self.onconnect = event => {
  const port = event.ports[0];
  port.onmessage = ({ data }) => {
    if (data.gone) tabs.delete(port); else tabs.set(port, data);
    run();
  };
};
