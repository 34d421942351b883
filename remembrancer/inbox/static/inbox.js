// Keys, and small comforts that need no server. Every page works without this file.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const typing = (element) => element && (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && !/^(checkbox|radio|submit|button)$/.test(element.type));

  // j and k walk along the list, or on to the next and the previous review.
  const walk = (step) => {
    const items = all("[data-item]");
    if (!items.length) {
      const link = $(step > 0 ? "[data-next]" : "[data-previous]");
      if (link) link.click();
      return;
    }
    const at = items.indexOf(document.activeElement);
    const next = items[Math.min(Math.max(at + step, 0), items.length - 1)];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };

  const help = () => {
    const dialog = $("#help");
    if (dialog && !dialog.open) dialog.showModal();
  };

  // Opens the part of the page that a choice needs, and only that one.
  const choose = (name) => {
    for (const part of all("[data-choice]")) part.hidden = part.dataset.choice !== name;
    for (const button of all("[data-opens]")) button.setAttribute("aria-expanded", String(button.dataset.opens === name));
    const part = $(`[data-choice="${name}"]`);
    const first = part && $("textarea, input:not([type=hidden])", part);
    if (first) first.focus();
    document.body.classList.toggle("editing", name === "edit");
    for (const input of all("[data-editable]")) input.hidden = name !== "edit";
    for (const shown of all("[data-shown]")) shown.hidden = name === "edit";
    if (name === "edit") ($("[data-editable][data-doubt]") || $("[data-editable]"))?.focus();
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("[data-editable]")) {
      // The form's own default is nothing: Enter in a field corrects, it never approves.
      event.preventDefault();
      $('[data-choice="edit"] button[value="edit"]')?.click();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      $("button[name=kind]", event.target.closest("[data-choice]") || document.createElement("i"))?.click();
      return;
    }
    if (event.key === "Escape") {
      if (typing(document.activeElement)) document.activeElement.blur();
      else if ($("[data-choice]:not([hidden])")) choose("");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(document.activeElement) || $("dialog[open]")) return;
    if (event.key === "j" || event.key === "k") walk(event.key === "j" ? 1 : -1);
    else if (event.key === "?") help();
    else if (event.key === "/" && $("[data-search]")) $("[data-search]").focus();
    else {
      const target = $(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
      if (!target) return;
      target.click();
    }
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const opens = event.target.closest("[data-opens]");
    if (opens) choose(opens.getAttribute("aria-expanded") === "true" ? "" : opens.dataset.opens);
    const reason = event.target.closest("[data-reason]");
    if (reason) {
      const box = $("textarea", reason.closest("[data-choice]"));
      box.value = reason.dataset.reason;
      box.focus();
    }
    const candidate = event.target.closest("[data-candidate]");
    if (candidate) {
      choose("edit");
      const input = $(`[data-editable][name="set.${candidate.dataset.field}"]`);
      if (input) { input.value = candidate.dataset.candidate; input.focus(); }
    }
    if (event.target.closest("[data-help]")) help();
    if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
    const every = event.target.closest("[data-every]");
    if (every) for (const box of all(`input[name="${every.dataset.every}"]`)) box.checked = every.checked;
    if (event.target.closest("[data-every], input[type=checkbox]")) tally();
    for (const open of all("details[data-floats][open]")) if (!open.contains(event.target)) open.open = false;
  });

  // Count and sum of what is ticked, before anything is decided.
  const tally = () => {
    const shown = $("[data-tally]");
    if (!shown) return;
    const ticked = all("input[data-amount]:checked");
    const sum = ticked.reduce((cents, box) => cents + Math.round(Number(box.dataset.amount) * 100), 0);
    const text = (sum / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
    shown.textContent = shown.dataset.tally.replace("{count}", ticked.length).replace("{sum}", text);
    for (const button of all("[data-needs-ticked]")) button.disabled = ticked.length === 0;
  };

  // The place on the original lights up with the field.
  const light = (event) => {
    const field = event.target.closest?.("[data-field]")?.dataset.field;
    for (const box of all(".lit")) box.classList.remove("lit");
    if (!field) return;
    for (const box of all(`[data-place~="${CSS.escape(field)}"]`)) {
      box.classList.add("lit");
      if (event.type === "focusin") box.scrollIntoView({ block: "nearest" });
    }
  };
  document.addEventListener("mouseover", light);
  document.addEventListener("focusin", light);

  // Dropping files on the upload.
  const over = (event, on) => {
    const drop = event.target.closest?.("[data-drop]");
    if (!drop) return null;
    event.preventDefault();
    drop.classList.toggle("over", on);
    return drop;
  };
  document.addEventListener("dragover", (event) => over(event, true));
  document.addEventListener("dragleave", (event) => over(event, false));
  document.addEventListener("drop", (event) => {
    const drop = over(event, false);
    if (!drop || !event.dataTransfer.files.length) return;
    $("input[type=file]", drop).files = event.dataTransfer.files;
    drop.closest("form").requestSubmit();
  });
  document.addEventListener("htmx:xhr:progress", (event) => {
    const bar = $("[data-upload-bar]");
    if (!bar || !event.detail.lengthComputable) return;
    bar.hidden = false;
    bar.max = event.detail.total;
    bar.value = event.detail.loaded;
  });

  // What went wrong is said: without these, a broken line or a refusal would leave the page as if nothing had been sent.
  const tell = (text) => {
    const toast = document.createElement("div");
    toast.className = "toast bad";
    toast.setAttribute("role", "alert");
    toast.textContent = text;
    $("#notices").append(toast);
  };
  document.addEventListener("htmx:sendError", () => tell(document.body.dataset.offline));
  document.addEventListener("htmx:responseError", (event) => {
    const answer = event.detail.xhr;
    if (answer.getResponseHeader("content-type")?.startsWith("text/plain")) tell(answer.responseText);
  });
  // A phone shouldn't send for minutes what is refused at the end.
  document.addEventListener("submit", (event) => {
    const most = Number(event.target.dataset.most);
    const files = most && [...$("input[type=file]", event.target).files];
    if (!files || files.reduce((sum, file) => sum + file.size, 0) <= most) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(event.target.dataset.tooLarge);
  }, true);

  // What the server says is swapped in; a field that somebody is typing in is left alone.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const target = event.detail.target;
    if (target.matches?.("[data-quiet]") && target.contains(document.activeElement) && typing(document.activeElement)) event.detail.shouldSwap = false;
    const held = document.activeElement?.dataset?.item;
    if (held && target.contains(document.activeElement)) target.dataset.held = held;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const held = event.detail.target.dataset?.held;
    if (held) {
      delete event.detail.target.dataset.held;
      $(`[data-item="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    }
    $("[data-first]")?.focus({ preventScroll: true });
    tally();
  });
  tally();

  // Which files were chosen, in the page's language; the browser's own words would be in another.
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches?.(".picker input")) return;
    const names = [...input.files].map((file) => file.name);
    input.parentElement.querySelector("output").value = names.length > 3 ? input.dataset.names.replace("{count}", names.length) : names.join(", ");
  });

  // On a phone the page that is open may lie beyond the edge of the navigation.
  const here = $(".side nav [aria-current]");
  const nav = here?.parentElement;
  if (nav && here.offsetLeft - nav.offsetLeft + here.offsetWidth > nav.clientWidth) nav.scrollLeft = here.offsetLeft - nav.offsetLeft - 40;
})();
