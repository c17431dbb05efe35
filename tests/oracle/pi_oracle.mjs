// What an installed pi answers about a session file.
//
//     node pi_oracle.mjs PACKAGE
//
// PACKAGE is the folder of an installed @earendil-works/pi-coding-agent. Reads one JSON object per line,
// {"file": path, "runs": [{leaf, target, keepRecent, reserve, window}, ...]}, and answers each with one line:
// a list with one result per run. Pi changes files when it opens them, so it only ever sees copies.
//
// Parent cycles make pi walk for ever. They are looked for before pi is called and answered with an error that
// says so; whatever still hangs is for the caller to end.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const NEVER = "never returns: the parents form a cycle";
const NEW = "<new>";
const NEW_SUMMARY = "SUMMARY";
const MOST_TREE_ROWS = 200_000;

const dist = resolve(process.argv[2], "dist");
const load = (path) => import(pathToFileURL(path).href);
const sessions = await load(join(dist, "core", "session-manager.js"));
const compaction = await load(join(dist, "core", "compaction", "compaction.js"));
const branches = await load(join(dist, "core", "compaction", "branch-summarization.js"));
const texts = await load(join(dist, "core", "compaction", "utils.js"));
const { convertToLlm } = await load(join(dist, "core", "messages.js"));
const { contentText } = await load(join(dependency("@earendil-works/pi-ai"), "dist", "utils", "text.js"));

const projects = typeof sessions.buildSessionProjection === "function";
const workplace = mkdtempSync(join(tmpdir(), "pi-oracle-"));
process.on("exit", () => rmSync(workplace, { recursive: true, force: true }));

function dependency(name) {
  for (let at = dirname(dist); at !== dirname(at); at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    try {
      readFileSync(join(folder, "package.json"));
      return folder;
    } catch {
      continue;
    }
  }
  throw new Error(`${name} is not installed beside pi`);
}

function attempt(action) {
  try {
    return action();
  } catch (error) {
    return { error: String(error) };
  }
}

// A figure that JSON lacks (and what pi got by joining strings) is written as text.
function figure(value) {
  return Number.isFinite(value) || value === null ? value : String(value);
}

function figures(estimate) {
  return {
    tokens: figure(estimate.tokens),
    usageTokens: figure(estimate.usageTokens),
    trailingTokens: figure(estimate.trailingTokens),
    lastUsageIndex: estimate.lastUsageIndex,
  };
}

function tokensOf(message) {
  try {
    return figure(compaction.estimateTokens(message));
  } catch (error) {
    return String(error);
  }
}

const weighed = (messages) => messages.map((message) => [message.role, tokensOf(message)]);
const transcript = (messages) => texts.serializeConversation(convertToLlm(messages));

/** One opened copy of a file, and the ids by which the answers name its entries. */
class Copy {
  static count = 0;

  constructor(original) {
    this.original = original;
    this.parsed = [];
    for (const line of readFileSync(original, "utf8").split("\n")) {
      let value = null;
      try {
        value = line.trim() ? JSON.parse(line) : null;
      } catch {
        value = null;
      }
      this.parsed.push(value || null);
    }
    const header = this.parsed.find((value) => value?.type === "session");
    this.renumbered = header !== undefined && (header.version ?? 1) < 2;
    this.declared = header;
    this.open();
  }

  open() {
    const folder = join(workplace, String(Copy.count++));
    mkdirSync(folder);
    const file = join(folder, "session.jsonl");
    copyFileSync(this.original, file);
    this.folder = folder;
    this.manager = sessions.SessionManager.open(file);
    this.names = new Map();
    if (this.renumbered) {
      this.manager.getEntries().forEach((entry, i) => {
        this.names.set(entry.id, (i + 1).toString(16).padStart(8, "0"));
      });
    }
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An entry's id as the answers write it. */
  name(id) {
    return this.names.get(id) ?? id ?? null;
  }

  /** The id in pi's memory for an id or an "@line" of an argument. */
  find(wanted) {
    if (typeof wanted === "string" && /^@\d+$/.test(wanted)) {
      const line = Number(wanted.slice(1));
      if (!this.parsed[line] || this.parsed[line].type === "session") throw new Error(`Entry ${wanted} not found`);
      if (!this.renumbered) return this.parsed[line]?.id;
      const before = this.parsed.slice(0, line + 1).filter((value) => value && value.type !== "session");
      return this.manager.getEntries()[before.length - 1]?.id;
    }
    for (const [id, name] of this.names) if (name === wanted) return id;
    return wanted;
  }

  moveTo(leaf) {
    if (leaf === undefined || leaf === null) return;
    if (leaf === "@null") this.manager.resetLeaf();
    else this.manager.branch(this.find(leaf));
  }

  walksForEver(id) {
    const seen = new Set();
    let entry = id ? this.manager.getEntry(id) : undefined;
    while (entry) {
      if (seen.has(entry)) return true;
      seen.add(entry);
      entry = entry.parentId ? this.manager.getEntry(entry.parentId) : undefined;
    }
    return false;
  }

  path() {
    return this.manager.getBranch().map((entry) => this.name(entry.id));
  }

  context() {
    const { messages, thinkingLevel, model } = this.manager.buildSessionContext();
    const result = {
      messages: weighed(messages),
      thinkingLevel: thinkingLevel ?? null,
      model: model && { provider: model.provider ?? null, modelId: model.modelId ?? null },
    };
    if (projects) {
      const { entries } = this.manager.buildSessionProjection();
      result.projection = entries.map((entry) => [this.name(entry.sourceEntry.id), entry.messages.length]);
    }
    return result;
  }

  totals() {
    return {
      estimate: attempt(() => figures(compaction.estimateContextTokens(this.manager.buildSessionContext().messages))),
      projected: projects
        ? attempt(() =>
            figures(
              compaction.estimateProjectedContextTokens(this.manager.buildSessionProjection(), this.manager.getBranch()),
            ),
          )
        : null,
    };
  }
}

// Duplicate ids can hang a node below itself, or below so many parents that the tree has no end in practice.
function treeIsEndless(entries) {
  const last = new Map(entries.map((entry) => [entry.id, entry]));
  const children = new Map();
  const roots = [];
  for (const entry of entries) {
    const root = entry.parentId === null || entry.parentId === entry.id || !last.has(entry.parentId);
    if (root) roots.push(entry.id);
    else if (children.has(entry.parentId)) children.get(entry.parentId).push(entry.id);
    else children.set(entry.parentId, [entry.id]);
  }
  let rows = 0;
  const stack = [...roots];
  while (stack.length > 0) {
    rows += 1;
    if (rows > MOST_TREE_ROWS) return true;
    stack.push(...(children.get(stack.pop()) ?? []));
  }
  return false;
}

function tree(copy) {
  if (treeIsEndless(copy.manager.getEntries())) return { roots: { error: NEVER }, tree: { error: NEVER } };
  const roots = copy.manager.getTree();
  const rows = [];
  const stack = roots.map((node) => [node, 0]).reverse();
  while (stack.length > 0) {
    const [node, depth] = stack.pop();
    rows.push([copy.name(node.entry.id), depth, node.children.length]);
    for (let i = node.children.length - 1; i >= 0; i--) stack.push([node.children[i], depth + 1]);
  }
  return { roots: roots.map((node) => copy.name(node.entry.id)), tree: rows };
}

function cutFrom(copy, path, start, keepRecent) {
  const cut = compaction.findCutPoint(path, start, path.length, keepRecent);
  return {
    start,
    firstKeptEntryIndex: cut.firstKeptEntryIndex,
    firstKeptEntryId: copy.name(path[cut.firstKeptEntryIndex]?.id),
    turnStartIndex: cut.turnStartIndex,
    turnStartId: copy.name(path[cut.turnStartIndex]?.id),
    isSplitTurn: cut.isSplitTurn,
  };
}

function cutPoint(copy, keepRecent) {
  const path = copy.manager.getBranch();
  let start = 0;
  const previous = path.findLastIndex((entry) => entry.type === "compaction");
  if (previous >= 0) {
    const kept = path.findIndex((entry) => entry.id === path[previous].firstKeptEntryId);
    start = kept >= 0 ? kept : previous + 1;
  }
  return {
    fromBoundary: attempt(() => cutFrom(copy, path, start, keepRecent)),
    fromZero: start === 0 ? null : attempt(() => cutFrom(copy, path, 0, keepRecent)),
  };
}

function preparation(copy, plan) {
  if (!plan || plan.error) return plan ?? null;
  return {
    firstKeptEntryId: copy.name(plan.firstKeptEntryId),
    isSplitTurn: plan.isSplitTurn,
    tokensBefore: figure(plan.tokensBefore),
    previousSummary: plan.previousSummary ?? null,
    messagesToSummarize: weighed(plan.messagesToSummarize),
    turnPrefixMessages: weighed(plan.turnPrefixMessages),
    fileOps: attempt(() => texts.computeFileLists(plan.fileOps)),
    conversationText: attempt(() => transcript(plan.messagesToSummarize)),
    turnPrefixText: attempt(() => transcript(plan.turnPrefixMessages)),
  };
}

function afterCompaction(copy, plan) {
  const parentId = copy.name(copy.manager.getLeafId());
  const details = attempt(() => texts.computeFileLists(plan.fileOps));
  const id = copy.manager.appendCompaction(
    NEW_SUMMARY,
    plan.firstKeptEntryId,
    plan.tokensBefore,
    details.error ? undefined : details,
    false,
  );
  copy.names.set(id, NEW);
  return { parentId, context: copy.context(), contextTokens: copy.totals(), path: copy.path() };
}

function navigation(original, options) {
  const copy = new Copy(original);
  try {
    copy.moveTo(options.leaf);
    return navigate(copy, options);
  } finally {
    copy.close();
  }
}

function navigate(copy, options) {
  const target = copy.find(options.target);
  const oldLeaf = copy.manager.getLeafId();
  const result = { oldLeafId: copy.name(oldLeaf), targetId: options.target };
  if (target === oldLeaf) return { ...result, noop: true };
  try {
    const entry = copy.manager.getEntry(target);
    if (!entry) throw new Error(`Entry ${target} not found`);
    if (copy.walksForEver(target) || copy.walksForEver(oldLeaf)) throw new Error(NEVER);
    const left = branches.collectEntriesForBranchSummary(copy.manager, oldLeaf, target);
    result.collected = {
      commonAncestorId: copy.name(left.commonAncestorId),
      entries: left.entries.map((item) => copy.name(item.id)),
    };
    result.budget = options.window - options.reserve;
    result.branchEntries = attempt(() => branchEntries(left.entries, result.budget));
    land(copy, entry, target, result);
  } catch (error) {
    result.error = String(error);
  }
  return result;
}

function branchEntries(entries, budget) {
  const plan = branches.prepareBranchEntries(entries, budget);
  return {
    messages: weighed(plan.messages),
    totalTokens: figure(plan.totalTokens),
    fileOps: attempt(() => texts.computeFileLists(plan.fileOps)),
    conversationText: attempt(() => transcript(plan.messages)),
  };
}

// The rule by which pi's session picks the new leaf is not exported: user input goes back to the editor.
function land(copy, entry, target, result) {
  let leaf = target;
  let editorText;
  if (entry.type === "message" && entry.message.role === "user") {
    leaf = entry.parentId;
    editorText = contentText(entry.message.content, "");
  } else if (entry.type === "custom_message") {
    leaf = entry.parentId;
    editorText = contentText(entry.content, "");
  }
  const { manager } = copy;
  const before = manager.getLeafId();
  if (leaf === null) manager.resetLeaf();
  else manager.branch(leaf);
  result.newLeafId = copy.name(leaf);
  result.editorText = editorText ?? null;
  result.withoutSummary = { leaf: copy.name(manager.getLeafId()), context: attempt(() => copy.context()) };
  manager.leafId = before;
  const id = manager.branchWithSummary(leaf, NEW_SUMMARY, { readFiles: [], modifiedFiles: [] }, false);
  copy.names.set(id, NEW);
  const summary = manager.getEntry(id);
  result.withSummary = {
    parentId: copy.name(summary.parentId),
    fromId: copy.name(summary.fromId),
    path: copy.path(),
    context: attempt(() => copy.context()),
  };
}

function answer(original, given) {
  const options = { keepRecent: 20000, reserve: 16384, window: 200000, ...given };
  const result = {};
  let copy;
  try {
    copy = new Copy(original);
    copy.moveTo(options.leaf);
  } catch (error) {
    return { load: { error: String(error) } };
  }
  try {
    describe(copy, options, result);
  } finally {
    copy.close();
  }
  if (options.target !== undefined && options.target !== null) {
    result.navigation = attempt(() => navigation(original, options));
  }
  return result;
}

function describe(copy, options, result) {
  const { manager } = copy;
  result.load = "ok";
  result.header = copy.declared ? { id: copy.declared.id, cwd: copy.declared.cwd ?? null } : null;
  result.version = copy.declared ? (copy.declared.version === undefined ? 1 : copy.declared.version) : null;
  result.entries = manager.getEntries().length;
  result.uniqueIds = new Set(manager.getEntries().map((entry) => entry.id)).size;
  result.sessionName = attempt(() => manager.getSessionName() ?? null);
  result.leaf = copy.name(manager.getLeafId());
  Object.assign(result, attempt(() => tree(copy)));
  result.labels = {};
  for (const [id, label] of manager.labelsById) result.labels[copy.names.get(id) ?? labelKey(id)] = label;
  if (copy.walksForEver(manager.getLeafId())) {
    for (const key of ["path", "context", "preparation"]) result[key] = { error: NEVER };
    result.contextTokens = { estimate: { error: NEVER }, projected: { error: NEVER } };
    return;
  }
  const settings = { enabled: true, reserveTokens: options.reserve, keepRecentTokens: options.keepRecent };
  result.path = copy.path();
  result.context = attempt(() => copy.context());
  result.contextTokens = copy.totals();
  const total = result.contextTokens[projects ? "projected" : "estimate"];
  result.shouldCompact = total.error ? null : compaction.shouldCompact(rawTotal(copy), options.window, settings);
  result.cutPoint = cutPoint(copy, options.keepRecent);
  const plan = attempt(() => compaction.prepareCompaction(manager.getBranch(), settings));
  result.preparation = preparation(copy, plan);
  result.afterCompaction = !plan || plan.error ? null : attempt(() => afterCompaction(copy, plan));
}

// An id that is a list or an object names no entry; how it is written is ours to choose.
function labelKey(id) {
  return typeof id === "object" && id !== null ? "[object Object]" : String(id);
}

function rawTotal(copy) {
  if (!projects) return compaction.estimateContextTokens(copy.manager.buildSessionContext().messages).tokens;
  const projection = copy.manager.buildSessionProjection();
  return compaction.estimateProjectedContextTokens(projection, copy.manager.getBranch()).tokens;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { file, runs } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(runs.map((run) => answer(file, run)))}\n`);
}
process.exit(0);
