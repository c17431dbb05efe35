// One thing that pi does with a session file, timed inside a fresh process.
//
//     node pi_side.mjs PACKAGE JOB FILE
//
// PACKAGE is the folder of an installed @earendil-works/pi-coding-agent. FILE is a copy, because pi changes files when
// it opens them. The last line printed is {"seconds": ...}; loading pi's own modules is not counted in it.

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, job, file] = process.argv.slice(2);
const dist = resolve(folder, "dist");
const load = (...parts) => import(pathToFileURL(join(dist, ...parts)).href);
const { SessionManager } = await load("core", "session-manager.js");

const jobs = {
  async open() {
    return timed(() => SessionManager.open(file));
  },

  async tree() {
    return timed(() => SessionManager.open(file).getTree());
  },

  async plan() {
    const { prepareCompaction, DEFAULT_COMPACTION_SETTINGS } = await load("core", "compaction", "compaction.js");
    let plan;
    const seconds = timed(() => {
      plan = prepareCompaction(SessionManager.open(file).getBranch(), DEFAULT_COMPACTION_SETTINGS);
    });
    console.log(JSON.stringify({ seconds, kept: plan?.firstKeptEntryId ?? null }));
    return null;
  },

  async filter() {
    const { initTheme } = await load("modes", "interactive", "theme", "theme.js");
    const { TreeSelectorComponent } = await load("modes", "interactive", "components", "tree-selector.js");
    initTheme();
    const manager = SessionManager.open(file);
    const nothing = () => {};
    const selector = new TreeSelectorComponent(manager.getTree(), manager.getLeafId(), 80, nothing, nothing);
    const list = selector.getTreeList();
    const times = [];
    for (let turn = 0; turn < 10; turn++) {
      list.filterMode = turn % 2 ? "default" : "all";
      times.push(timed(() => list.applyFilter()));
    }
    return times.sort((a, b) => a - b)[5];
  },
};

function timed(action) {
  const begin = performance.now();
  action();
  return (performance.now() - begin) / 1000;
}

const seconds = await jobs[job]();
if (seconds !== null) console.log(JSON.stringify({ seconds }));
