/* SPDX-License-Identifier: BSD-3-Clause */
/* page.js: in a page, a link to something folded opens it, the contents mark where the reader is,
   and a field finds metrics, benchmarks and hosts. Without it everything can be opened by hand. */
"use strict";
(function () {
    const contents = document.getElementById("contents");
    const targetOf = hash => document.getElementById(hash.slice(1));

    /* ---- Links ----------------------------------------------------------------------------- */

    function go() {
        const target = targetOf(location.hash);
        if (!target) return;
        for (let e = target; e; e = e.parentElement) if (e.localName === "details") e.open = true;
        target.scrollIntoView();
    }

    /* A second click on a link changes no hash. What is opened by hand gives the page its link. */
    function onClick(event) {
        const link = event.target.closest("a"), summary = event.target.closest("summary");
        if (link && link.hash && link.hash === location.hash) go();
        const part = summary && !summary.parentElement.open && summary.nextElementSibling;
        if (part && part.id) history.replaceState(null, "", "#" + part.id);
    }

    /* A click on a small figure shows it large, with what it says; its keys have their own use. */
    for (const figure of document.querySelectorAll(".benchmark > figure")) {
        const about = figure.parentElement.querySelector(":scope > .rest > .about");
        figure.classList.add("can");
        figure.addEventListener("click", event => {
            if (!event.target.closest("g.key.can, a")) about.open = !about.open;
        });
    }

    window.addEventListener("hashchange", go);
    document.addEventListener("click", onClick);
    go();

    if (!contents) return;

    /* ---- Where the reader is --------------------------------------------------------------- */

    const links = [...contents.querySelectorAll("li > a")];
    let here = null, waiting = false;

    const EDGE = 64; // pixels from the top: below it a part is not yet begun

    /* The part that begins last above the edge; at the page's end the last one. */
    function partInView() {
        const height = document.documentElement.scrollHeight;
        if (window.scrollY > 0 && window.scrollY + window.innerHeight >= height - 2)
            return links[links.length - 1];
        let found = links[0], most = -Infinity;
        for (const link of links) {
            const part = targetOf(link.hash);
            if (!part || part.closest("details:not([open])")) continue; // folded
            const top = part.getBoundingClientRect().top;
            if (top > EDGE || top < most) continue;
            found = link;
            most = top;
        }
        return found;
    }

    function mark() {
        waiting = false;
        const link = partInView();
        if (link === here) return;
        if (here) here.removeAttribute("aria-current");
        here = link;
        here.setAttribute("aria-current", "location");
        const top = here.offsetTop, end = top + here.offsetHeight, room = 2 * here.offsetHeight;
        if (top - room < contents.scrollTop) contents.scrollTop = top - room;
        if (end + room > contents.scrollTop + contents.clientHeight)
            contents.scrollTop = end + room - contents.clientHeight;
    }

    function markSoon() {
        if (!waiting) requestAnimationFrame(mark);
        waiting = true;
    }

    window.addEventListener("scroll", markSoon, {passive: true});
    window.addEventListener("resize", markSoon);
    mark();

    /* ---- The search ------------------------------------------------------------------------ */

    const MOST = 12;
    const form = document.getElementById("search"), field = form.querySelector("input");
    const status = form.querySelector("[role=status]"), list = form.querySelector("ul");
    let entries = null;

    const textOf = element => element.textContent.trim().replace(/\s+/g, " ");

    /* All benchmarks, then all metrics, then hosts and other rows. */
    function readPage() {
        const metrics = [];
        entries = [];
        for (const section of document.querySelectorAll("section.benchmark")) {
            const heading = textOf(section.querySelector("h3"));
            entries.push({name: heading, more: "", id: section.id, words: heading.toLowerCase()});
            for (const row of section.querySelectorAll("tr[id]")) {
                const name = textOf(row.querySelector("th"));
                const value = textOf(row.querySelector(".value"));
                metrics.push({name: name, more: value + ", " + heading, id: row.id,
                              words: (name + " " + heading).toLowerCase()});
            }
        }
        entries.push(...metrics);
        for (const row of document.querySelectorAll("tr.found")) {
            const name = [...row.querySelector("th").childNodes]
                .filter(part => part.localName !== "small").map(part => part.textContent).join("");
            entries.push({name: name, more: "", id: row.id, words: name.toLowerCase()});
        }
    }

    function itemOf(entry) {
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = "#" + entry.id;
        link.textContent = entry.name;
        item.append(link);
        if (entry.more) {
            const more = document.createElement("small");
            more.textContent = entry.more;
            item.append(" ", more);
        }
        return item;
    }

    function find() {
        const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
        if (!entries) readPage();
        const found = words.length === 0 ? []
            : entries.filter(entry => words.every(word => entry.words.includes(word)));
        list.replaceChildren(...found.slice(0, MOST).map(itemOf));
        const shown = found.length > MOST ? `, ${form.dataset.shown} ${MOST}` : "";
        status.textContent = words.length === 0 ? ""
            : found.length === 0 ? form.dataset.none
            : `${found.length} ${form.dataset.found}${shown}`;
    }

    form.hidden = false;
    field.addEventListener("input", find);
    form.addEventListener("submit", event => {
        event.preventDefault();
        const first = list.querySelector("a");
        if (first) first.click();
    });
})();
