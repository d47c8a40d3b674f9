// What the trial asks of a notebook that is open in JupyterLab or in Notebook 7. Both put their
// application at window.jupyterapp if told to expose it.

window.trial = (() => {
  const panel = () => window.jupyterapp?.shell?.currentWidget;
  const cellAt = (index) => panel().content.widgets[index];
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  /** What `find` returns, once it returns something. */
  async function until(find) {
    for (;;) {
      const found = find();
      if (found) return found;
      await pause(50);
    }
  }

  /** "Idle" is shown before the kernel is connected, when Run All would do nothing. */
  async function opened() {
    await until(() => window.jupyterapp);
    await window.jupyterapp.restored;
    const session = await until(() => panel()?.sessionContext);
    await panel().context.ready;
    await session.ready;
    await (await until(() => session.session?.kernel)).info;
    document.activeElement?.blur();
  }

  /** Side roads are closed at first, and nothing in them is drawn. */
  async function runAll() {
    await window.jupyterapp.commands.execute("notebook:expand-all-headings");
    await window.jupyterapp.commands.execute("notebook:run-all-cells");
  }

  /** For each code cell: how it ended, and which widgets it shows. */
  function codeCells() {
    return panel().content.widgets.flatMap(({ model }, index) => {
      if (model.type !== "code") return [];
      const outputs = model.outputs.toJSON();
      const views = outputs.map(({ data }) => data?.["application/vnd.jupyter.widget-view+json"]);
      const errors = outputs.filter((output) => output.output_type === "error");
      return {
        index,
        id: model.id,
        empty: !model.sharedModel.getSource().trim(),
        ran: model.executionCount !== null,
        errors: errors.map(({ ename, evalue }) => `${ename}: ${evalue}`),
        views: views.filter(Boolean).map((view) => view.model_id),
      };
    });
  }

  /** Bring a cell into view, which also draws it, and give it a name to be found by. */
  async function show(index) {
    const cell = cellAt(index);
    await panel().content.scrollToItem(index, "center");
    await until(() => cell.isAttached && cell.outputArea.isVisible);
    cell.node.dataset.trial = index;
  }

  /** What no key in a widget may change: the cells, which of them are active, the mode, and that
   *  the focus is in a widget. */
  function standing() {
    const { content } = panel();
    const { widgets, activeCellIndex, selectedCells, mode } = content;
    const cells = widgets.map(({ model }) => [model.id, model.type, model.sharedModel.getSource()]);
    const inside = Boolean(document.activeElement?.closest(".attn-frame"));
    return { cells, active: activeCellIndex, selected: selectedCells.length, mode, inside };
  }

  /** The value of a Python expression in the kernel, as Python writes it. */
  async function ask(expression) {
    const { kernel } = panel().sessionContext.session;
    const request = { code: "", store_history: false, user_expressions: { told: expression } };
    const { content } = await kernel.requestExecute(request).done;
    const told = content.user_expressions?.told ?? content;
    if (told.status !== "ok") throw new Error(`Python says ${told.ename}: ${told.evalue}`);
    return told.data["text/plain"];
  }

  async function close() {
    await panel().sessionContext.shutdown();
  }

  /** Any of these by its name, with a time limit. */
  async function call(name, argument, seconds) {
    const late = pause(1000 * seconds).then(() => {
      throw new Error(`${name} took longer than ${seconds} s`);
    });
    return Promise.race([functions[name](argument), late]);
  }

  const functions = { opened, runAll, codeCells, show, standing, ask, close };
  return { call };
})();
