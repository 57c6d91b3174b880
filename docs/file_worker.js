// Browsers start no workers for pages that are files: there the search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = `<script src="${new URL(url, location.href)}"></script>`;
      this.frame.addEventListener("load", () => this.start());
      (document.body || document.documentElement).appendChild(this.frame);
    }

    start() {
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) =>
        Promise.all(
          urls.map(
            (src) =>
              new Promise((done) => {
                const script = inside.document.createElement("script");
                Object.assign(script, { src, onload: done });
                inside.document.head.appendChild(script);
              }),
          ),
        );
      this.waiting.splice(0).forEach((data) => this.deliver(data));
      this.ready = true;
    }

    postMessage(data) {
      if (this.ready) this.deliver(data);
      else this.waiting.push(data);
    }

    deliver(data) {
      const inside = this.frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
